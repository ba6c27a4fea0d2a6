#include "tuning/tuners/expected_order.h"

#include <algorithm>

#include "tuning/tuners/sparse_shuffle.h"

namespace opbench {

ExpectedOrder::ExpectedOrder(const TunerInput& input, Random& random) {
  constexpr uint64_t kMost = 16'384;  // some tenths of a second
  SparseShuffle shuffle(input.size, random);
  for (uint64_t i = 0; i < std::min(input.size, kMost); ++i) {
    const uint64_t point = shuffle.draw();
    if (const double time = input.estimate(point); time > 0) order_.push_back({point, time});
  }
  std::ranges::stable_sort(order_, std::ranges::less(), &Expected::time);
}

std::optional<uint64_t> ExpectedOrder::draw_apart(const std::unordered_set<uint64_t>& visited) {
  constexpr double kStep = 1.005;
  for (const Expected& expected : order_) {
    if (expected.time < drawn_ * kStep || visited.contains(expected.point)) continue;
    drawn_ = expected.time;
    return expected.point;
  }
  return std::nullopt;
}

std::vector<uint64_t> ExpectedOrder::first(size_t count,
                                           const std::unordered_set<uint64_t>& visited) {
  while (begin_ < order_.size() && visited.contains(order_[begin_].point)) ++begin_;
  std::vector<uint64_t> points;
  for (size_t i = begin_; i < order_.size() && points.size() < count; ++i) {
    if (!visited.contains(order_[i].point)) points.push_back(order_[i].point);
  }
  return points;
}

}  // namespace opbench
