#include "opbench/schedule/winograd_transform.h"

#include <algorithm>
#include <array>

#include "opbench/base/divisors.h"
#include "opbench/schedule/kernel_builder.h"

namespace opbench {
namespace {

constexpr int kTaps = 3;
constexpr int kMostLanes = 16;
constexpr int kMostPoints = 36;
using Lanes = std::array<double, kMostLanes>;

/// One tap of 16 filters side by side, so that the loops over them become vector instructions.
using Filters = std::array<Lanes, kTaps * kTaps>;
using Points = std::array<Lanes, kMostPoints>;

Filters gather(const WeightView& w, int64_t first_out, int64_t in, int64_t lanes) {
  Filters filters = {};
  if (in >= w.in_channels) return filters;
  const int64_t count = std::min(lanes, w.out_channels - first_out);
  for (int64_t lane = 0; lane < count; ++lane) {
    const float* filter = w.filter(first_out + lane, in);
    for (size_t tap = 0; tap < filters.size(); ++tap)
      filters[tap][static_cast<size_t>(lane)] = filter[tap];
  }
  return filters;
}

/// to += factor * from, lane by lane.
void add_scaled(Lanes& to, double factor, const Lanes& from) {
  for (size_t lane = 0; lane < to.size(); ++lane) to[lane] += factor * from[lane];
}

/// G g G^T with the points in row-major order.
Points transformed(const WinogradTransform& t, const Filters& filters) {
  const size_t n = static_cast<size_t>(t.n);
  Points rows = {};  // G g: n x 3
  for (size_t i = 0; i < n; ++i)
    for (size_t tap = 0; tap < kTaps; ++tap)
      for (size_t column = 0; column < kTaps; ++column)
        if (t.filter[i][tap] != 0)
          add_scaled(rows[i * kTaps + column], t.filter[i][tap], filters[tap * kTaps + column]);
  Points points = {};
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      for (size_t tap = 0; tap < kTaps; ++tap)
        if (t.filter[j][tap] != 0)
          add_scaled(points[i * n + j], t.filter[j][tap], rows[i * kTaps + tap]);
  return points;
}

WinogradTransform two_by_two() {
  return {.m = 2,
          .n = 4,
          .input = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
          .filter = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}},
          .output = {{1, 1, 1, 0}, {0, 1, -1, -1}}};
}

WinogradTransform four_by_four() {
  return {.m = 4,
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

const WinogradTransform& winograd_transform(int64_t m) {
  static const WinogradTransform two = two_by_two();
  static const WinogradTransform four = four_by_four();
  return m == 2 ? two : four;
}

Tensor pack_winograd(const WinogradTransform& transform, const Tensor& weight, int64_t block) {
  const WeightView w = weight_view(weight);
  const int64_t points = int64_t{transform.n} * transform.n;
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
