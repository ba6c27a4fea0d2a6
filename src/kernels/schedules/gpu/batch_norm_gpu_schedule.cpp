#include <halide14/Halide.h>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/rows/batch_norm_parts.h"

namespace opbench {
namespace {

std::optional<Config> batch_norm_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !is_batch_norm(spec)) return std::nullopt;
  for (size_t operand = 1; operand <= 4; ++operand)
    if (!is_argument(spec, operand)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

Halide::Func build_batch_norm_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  BatchNorm norm;
  Halide::Func out = define_batch_norm(spec, builder, norm);
  spread_over_threads(out, norm.vars, output_type(spec.workload).size(), spec.config);
  return out;
}

}  // namespace

ScheduleDef batch_norm_gpu_schedule() {
  return {.name = "batch_norm_gpu",
          .summary = "a multiply-add an element, an element a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = batch_norm_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = nullptr,
          .check_config = check_group_config,
          .build = build_batch_norm_gpu};
}

}  // namespace opbench
