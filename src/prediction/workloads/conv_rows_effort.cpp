#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/run_shape.h"
#include "machine/target/target.h"
#include "prediction/workloads/all_taps.h"
#include "prediction/workloads/effort.h"

namespace opbench {
namespace {

/// The run of outputs of a channel in whole vectors, with what lies between its rows.
void adjust_conv_rows(const KernelSpec& spec, KernelWork& work) {
  const auto geometry = conv_geometry(spec.workload);
  if (!geometry) return;
  const int64_t lanes = std::max(float_lanes(spec.target), 1);
  const int64_t run = ceil_div(int64_t{run_shape(*geometry).run()}, lanes) * lanes;
  const int64_t channels = geometry->weight[0] * geometry->output[0];
  work.flops = flops_of_all_taps(*geometry, static_cast<double>(run * channels));
}

}  // namespace

EffortDef conv_rows_effort() { return {"conv_rows", adjust_conv_rows}; }

}  // namespace opbench
