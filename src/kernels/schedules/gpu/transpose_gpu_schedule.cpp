#include <halide14/Halide.h>

#include <string>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/permutation.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

std::optional<Config> transpose_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !is_transposition(spec) || anchor_result(spec).shape.empty())
    return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

Func build_transpose_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const std::vector<int64_t> perm = permutation_of(spec);
  const Shape& result = anchor_result(spec).shape;
  const size_t rank = perm.size();
  std::vector<Var> vars;
  std::vector<Expr> position(rank, Expr(0));
  for (size_t d = 0; d < rank; ++d) {
    vars.emplace_back("d" + std::to_string(d));
    const auto from = static_cast<size_t>(perm[rank - 1 - d]);
    position[rank - 1 - from] = vars[d];
  }
  Func out("out");
  out(vars) = builder.operand(*input_index(spec.workload, 0, 0))(position);
  spread_over_threads(out, vars, element_count(result), spec.config);
  return out;
}

}  // namespace

ScheduleDef transpose_gpu_schedule() {
  return {.name = "transpose_gpu",
          .summary = "dimensions in another order, an element a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = transpose_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = nullptr,
          .check_config = check_group_config,
          .build = build_transpose_gpu};
}

}  // namespace opbench
