#include <halide14/Halide.h>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/epilogue_operand.h"
#include "kernels/schedules/rows/elementwise_loops.h"

namespace opbench {
namespace {

std::optional<Config> elementwise_gpu_default_config(const KernelSpec& spec) {
  if (output_type(spec.workload).size() == 0) return std::nullopt;
  if (!is_for_gpu(spec) || !can_epilogue(spec, 0)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

Halide::Func build_elementwise_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  ElementwiseLoops loops;
  Halide::Func out = define_elementwise(spec, builder, loops);
  spread_over_threads(out, loops.vars, output_type(spec.workload).size(), spec.config);
  return out;
}

}  // namespace

ScheduleDef elementwise_gpu_schedule() {
  return {.name = "elementwise_gpu",
          .summary = "a chain of elementwise steps, an element a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = elementwise_gpu_default_config,
          .knobs = group_knobs,
          .priority = 1,
          .pack = pack_epilogue_weight,
          .check_config = check_group_config,
          .build = build_elementwise_gpu};
}

}  // namespace opbench
