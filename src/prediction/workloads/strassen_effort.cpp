#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/convolution/strassen.h"
#include "prediction/workloads/effort.h"
#include "prediction/workloads/filled_channels.h"

namespace opbench {
namespace {

/// Seven products of halves for eight.
void adjust_strassen(const KernelSpec& spec, KernelWork& work) {
  const auto shape = convolution_shape(spec.workload);
  if (!shape) return;
  const FilledChannels channels(spec, *shape);
  const auto pixels = static_cast<double>(shape->batch * shape->out_height * shape->out_width);
  constexpr double kOfPlain = kStrassenProducts / 8.0;
  constexpr double kOfHalves = kStrassenProducts / 4.0;
  work.flops = 2 * kOfPlain * pixels * channels.in * channels.out;
  work.weight_bytes = kOfHalves * channels.in * channels.out * sizeof(float);
  work.scratch_bytes = (kOfHalves - 1) * pixels * channels.in * sizeof(float);
}

}  // namespace

EffortDef strassen_effort() { return {"conv2d_strassen", adjust_strassen}; }

}  // namespace opbench
