#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/conv_geometry.h"
#include "machine/target/target.h"
#include "prediction/workloads/all_taps.h"
#include "prediction/workloads/effort.h"

namespace opbench {
namespace {

/// Elements of the run of outputs of one channel: a row and the zeros that it shares with the next,
/// planes likewise, in whole vectors.
int64_t run_of(const ConvGeometry& geometry, int64_t lanes) {
  int64_t run = 1;
  int64_t step = 1;
  for (size_t d = 0; d < geometry.pad.size(); ++d) {
    const int64_t outputs = geometry.output[geometry.output.size() - 1 - d];
    run += (outputs - 1) * step;
    step *= outputs + ceil_div(geometry.pad[d], geometry.stride[d]);
  }
  return ceil_div(run, lanes) * lanes;
}

void adjust(const KernelSpec& spec, KernelWork& work) {
  const auto geometry = conv_geometry(spec.workload);
  if (!geometry) return;
  const int64_t run = run_of(*geometry, std::max(float_lanes(spec.target), 1));
  const int64_t channels = geometry->weight[0] * geometry->output[0];
  work.flops = flops_of_all_taps(*geometry, static_cast<double>(run * channels));
}

}  // namespace

EffortDef conv_rows_effort() { return {"conv_rows", adjust}; }

}  // namespace opbench
