#include <halide14/Halide.h>

#include <string>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/workload_operands.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

std::optional<Config> expand_gpu_default_config(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_moving_anchor(spec, "Expand")) {
    return std::nullopt;
  }
  if (!is_for_gpu(spec) || anchor_result(spec).shape.empty()) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

Func build_expand_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const Shape& from = anchor_type(spec, 0).shape;
  const Shape& to = anchor_result(spec).shape;
  std::vector<Var> vars;
  std::vector<Expr> position;
  for (size_t d = 0; d < to.size(); ++d) {
    vars.emplace_back("d" + std::to_string(d));
    if (d >= from.size()) continue;
    const bool is_repeated = from[from.size() - 1 - d] == 1;
    position.push_back(is_repeated ? Expr(0) : Expr(vars[d]));
  }
  Func out("out");
  out(vars) = builder.operand(*input_index(spec.workload, 0, 0))(position);
  spread_over_threads(out, vars, element_count(to), spec.config);
  return out;
}

}  // namespace

ScheduleDef expand_gpu_schedule() {
  return {.name = "expand_gpu",
          .summary = "a tensor repeated along some dimensions, an element a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = expand_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = nullptr,
          .check_config = check_group_config,
          .build = build_expand_gpu};
}

}  // namespace opbench
