#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/conv_geometry.h"
#include "machine/target/target.h"
#include "prediction/workloads/all_taps.h"
#include "prediction/workloads/effort.h"

namespace opbench {
namespace {

/// Every place of the output takes whole vectors of the channels of a group.
void adjust_conv_channels(const KernelSpec& spec, KernelWork& work) {
  const auto geometry = conv_geometry(spec.workload);
  if (!geometry) return;
  const int64_t lanes = std::max(float_lanes(spec.target), 1);
  const int64_t channels = ceil_div(geometry->group_out(), lanes) * lanes * geometry->groups;
  const int64_t outputs = element_count(geometry->output) / geometry->output[1];
  work.flops = flops_of_all_taps(*geometry, static_cast<double>(outputs * channels));
}

}  // namespace

EffortDef conv_channels_effort() { return {"conv_channels", adjust_conv_channels}; }

}  // namespace opbench
