#include <halide14/Halide.h>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/rows/lrn_parts.h"

namespace opbench {
namespace {

std::optional<Config> lrn_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !is_lrn(spec)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

Halide::Func build_lrn_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  std::vector<Halide::Var> vars;
  Halide::Func out = define_plain_lrn(spec, builder, vars);
  spread_over_threads(out, vars, output_type(spec.workload).size(), spec.config);
  return out;
}

}  // namespace

ScheduleDef lrn_gpu_schedule() {
  return {.name = "lrn_gpu",
          .summary = "normalisation across channels, an element a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = lrn_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .check_config = check_group_config,
          .build = build_lrn_gpu};
}

}  // namespace opbench
