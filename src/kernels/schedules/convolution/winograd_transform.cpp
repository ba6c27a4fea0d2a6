#include "kernels/schedules/convolution/winograd_transform.h"

#include <algorithm>
#include <array>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_shape.h"

namespace opbench {
namespace {

constexpr size_t kWinogradTransformMostTaps = 5;
constexpr int kMostLanes = 16;
constexpr int kWinogradTransformMostPoints = 81;
using Lanes = std::array<double, kMostLanes>;

/// One tap of 16 filters side by side, so that the loops over them become vector instructions.
using Filters = std::array<Lanes, kWinogradTransformMostTaps * kWinogradTransformMostTaps>;
using Points = std::array<Lanes, kWinogradTransformMostPoints>;

Filters gather(const WeightView& w, int64_t first_out, int64_t in, int64_t lanes) {
  Filters filters = {};
  if (in >= w.in_channels) return filters;
  const int64_t count = std::min(lanes, w.out_channels - first_out);
  for (int64_t lane = 0; lane < count; ++lane) {
    const float* filter = w.filter(first_out + lane, in);
    for (size_t tap = 0; tap < static_cast<size_t>(w.height * w.width); ++tap)
      filters[tap][static_cast<size_t>(lane)] = filter[tap];
  }
  return filters;
}

/// to += factor * from, lane by lane.
void add_scaled(Lanes& to, double factor, const Lanes& from) {
  for (size_t lane = 0; lane < to.size(); ++lane) to[lane] += factor * from[lane];
}

/// G g G^T with the points in row-major order.
Points transformed(const MinimalFilter& t, const Filters& filters) {
  const size_t n = static_cast<size_t>(t.rows()), taps = static_cast<size_t>(t.r);
  Points rows = {};  // G g: n x taps
  for (size_t i = 0; i < n; ++i)
    for (size_t tap = 0; tap < taps; ++tap)
      for (size_t column = 0; column < taps; ++column)
        if (t.filter[i][tap] != 0)
          add_scaled(rows[i * taps + column], t.filter[i][tap], filters[tap * taps + column]);
  Points points = {};
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      for (size_t tap = 0; tap < taps; ++tap)
        if (t.filter[j][tap] != 0)
          add_scaled(points[i * n + j], t.filter[j][tap], rows[i * taps + tap]);
  return points;
}

MinimalFilter two_by_two() {
  return {.m = 2,
          .r = 3,
          .n = 4,
          .input = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
          .filter = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}},
          .output = {{1, 1, 1, 0}, {0, 1, -1, -1}}};
}

MinimalFilter four_by_four() {
  return {.m = 4,
          .r = 3,
          .n = 6,
          .input = {{4, 0, -5, 0, 1, 0},
                    {0, -4, -4, 1, 1, 0},
                    {0, 4, -4, -1, 1, 0},
                    {0, -2, -1, 2, 1, 0},
                    {0, 2, -1, -2, 1, 0},
                    {0, 4, 0, -5, 0, 1}},
          .filter = {{1. / 4, 0, 0},
                     {-1. / 6, -1. / 6, -1. / 6},
                     {-1. / 6, 1. / 6, -1. / 6},
                     {1. / 24, 1. / 12, 1. / 6},
                     {1. / 24, -1. / 12, 1. / 6},
                     {0, 0, 1}},
          .output = {
              {1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}};
}

}  // namespace

MinimalFilter winograd_transform(int64_t m, int64_t taps, int64_t stride) {
  if (stride == 2) return strided_filter(static_cast<int>(m), static_cast<int>(taps));
  if (taps == 3 && m == 2) return two_by_two();
  if (taps == 3 && m == 4) return four_by_four();
  return minimal_filter(static_cast<int>(m), static_cast<int>(taps));
}

Tensor pack_winograd(const MinimalFilter& transform, const Tensor& weight, int64_t block) {
  const WeightView w = weight_view(weight);
  const int64_t points = int64_t{transform.rows()} * transform.rows();
  const int64_t out_blocks = ceil_div(w.out_channels, block);
  const int64_t in_blocks = ceil_div(w.in_channels, block);
  Tensor packed =
      Tensor::empty({DataType::kFloat32, {out_blocks, points, in_blocks * block, block}});
  float* to = packed.as<float>().data();
  for (int64_t ob = 0; ob < out_blocks; ++ob)
    for (int64_t in = 0; in < in_blocks * block; ++in) {
      const Points values = transformed(transform, gather(w, ob * block, in, block));
      for (int64_t k = 0; k < points; ++k) {
        float* row = to + ((ob * points + k) * in_blocks * block + in) * block;
        const Lanes& lanes = values[static_cast<size_t>(k)];
        for (int64_t lane = 0; lane < block; ++lane)
          row[lane] = static_cast<float>(lanes[static_cast<size_t>(lane)]);
      }
    }
  return packed;
}

}  // namespace opbench
