#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/convolution/winograd_transform.h"
#include "prediction/workloads/effort.h"
#include "prediction/workloads/filled_channels.h"

namespace opbench {
namespace {

/// A product for every point of a transformed tile.
void adjust_winograd(const KernelSpec& spec, KernelWork& work) {
  const auto shape = convolution_shape(spec.workload);
  const auto edge = spec.config.find("m");
  if (!shape || edge == spec.config.end() || edge->second < 1) return;
  const int64_t m = edge->second;
  const auto rows =
      static_cast<double>(winograd_transform(m, shape->kernel_h, shape->stride_h).rows());
  const int64_t bands = ceil_div(shape->out_height, m);
  const auto tiles = static_cast<double>(bands * ceil_div(shape->out_width, m) * shape->batch);
  const FilledChannels channels(spec, *shape);
  const double points = rows * rows;
  work.flops = 2 * points * tiles * channels.in * channels.out;
  work.weight_bytes = points * channels.in * channels.out * sizeof(float);
  const auto band = spec.config.find("band");
  const bool is_banded = band != spec.config.end() && band->second == 1;
  work.scratch_bytes = points * tiles * (channels.in + channels.out) * sizeof(float) /
                       static_cast<double>(is_banded ? bands : 1);
}

}  // namespace

EffortDef winograd_effort() { return {"conv2d_winograd", adjust_winograd}; }

}  // namespace opbench
