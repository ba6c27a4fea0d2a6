#include <halide14/Halide.h>

#include <string>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/workload_operands.h"
#include "model/operators/axes/slice_ranges.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

Result<std::vector<SliceRange>> ranges_of_slice(const KernelSpec& spec) {
  return slice_ranges(call_of(anchor_of(spec), spec.workload.graph, spec.workload.opset));
}

std::optional<Config> slice_gpu_default_config(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_moving_anchor(spec, "Slice")) {
    return std::nullopt;
  }
  if (!is_for_gpu(spec) || anchor_result(spec).shape.empty() || !ranges_of_slice(spec)) {
    return std::nullopt;
  }
  return Config{{kGroupKnob, default_group(spec.target)}};
}

Func build_slice_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const std::vector<SliceRange> ranges = ranges_of_slice(spec).value();
  const size_t rank = ranges.size();
  std::vector<Var> vars;
  std::vector<Expr> position;
  for (size_t d = 0; d < rank; ++d) {
    const SliceRange& range = ranges[rank - 1 - d];
    vars.emplace_back("d" + std::to_string(d));
    position.push_back(narrow(range.start) + vars[d] * narrow(range.step));
  }
  Func out("out");
  out(vars) = builder.operand(*input_index(spec.workload, 0, 0))(position);
  spread_over_threads(out, vars, element_count(anchor_result(spec).shape), spec.config);
  return out;
}

}  // namespace

ScheduleDef slice_gpu_schedule() {
  return {.name = "slice_gpu",
          .summary = "a regular part of a tensor, an element a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = slice_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = nullptr,
          .check_config = check_group_config,
          .build = build_slice_gpu};
}

}  // namespace opbench
