#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "prediction/workloads/effort.h"
#include "prediction/workloads/filled_channels.h"

namespace opbench {
namespace {

/// A product for every point of a transformed line.
void adjust_winograd1d(const KernelSpec& spec, KernelWork& work) {
  const auto shape = convolution_shape(spec.workload);
  const auto edge = spec.config.find("m");
  if (!shape || edge == spec.config.end() || edge->second < 1) return;
  const int64_t m = edge->second;
  const bool is_row = shape->kernel_h == 1;
  const int64_t length = is_row ? shape->out_width : shape->out_height;
  const int64_t lines = (is_row ? shape->out_height : shape->out_width) * shape->batch;
  const auto points = static_cast<double>(m + std::max(shape->kernel_h, shape->kernel_w) - 1);
  const auto tiles = static_cast<double>(ceil_div(length, m) * lines);
  const FilledChannels channels(spec, *shape);
  work.flops = 2 * points * tiles * channels.in * channels.out;
  work.weight_bytes = points * channels.in * channels.out * sizeof(float);
  const auto parts = spec.config.find("parts");
  const int64_t count = parts == spec.config.end() ? 1 : std::max<int64_t>(parts->second, 1);
  work.scratch_bytes = points * tiles * channels.in * sizeof(float) / static_cast<double>(count);
}

}  // namespace

EffortDef winograd1d_effort() { return {"conv2d_winograd1d", adjust_winograd1d}; }

}  // namespace opbench
