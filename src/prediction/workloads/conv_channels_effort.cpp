#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/conv_geometry.h"
#include "machine/target/target.h"
#include "prediction/workloads/all_taps.h"
#include "prediction/workloads/effort.h"

namespace opbench {
namespace {

/// Whole vectors of the channels of a group, for every output.
void adjust(const KernelSpec& spec, KernelWork& work) {
  const auto geometry = conv_geometry(spec.workload);
  if (!geometry) return;
  const int64_t lanes = std::max(float_lanes(spec.target), 1);
  const int64_t channels = ceil_div(geometry->group_out(), lanes) * lanes * geometry->groups;
  int64_t outputs = geometry->output[0];
  for (size_t d = 2; d < geometry->output.size(); ++d) outputs *= geometry->output[d];
  work.flops = flops_of_all_taps(*geometry, static_cast<double>(outputs * channels));
}

}  // namespace

EffortDef conv_channels_effort() { return {"conv_channels", adjust}; }

}  // namespace opbench
