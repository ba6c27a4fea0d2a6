#include "tuning/tuners/expected_order.h"

#include <algorithm>

#include "tuning/tuners/sparse_shuffle.h"

namespace opbench {

ExpectedOrder::ExpectedOrder(const TunerInput& input, Random& random) {
  constexpr uint64_t kMost = 16'384;  // some tenths of a second
  SparseShuffle shuffle(input.size, random);
  for (uint64_t i = 0; i < std::min(input.size, kMost); ++i) {
    const uint64_t config = shuffle.draw();
    if (const double time = input.estimate(config); time > 0) order_.push_back({config, time});
  }
  std::ranges::stable_sort(order_, std::ranges::less(), &Expected::time);
}

std::optional<uint64_t> ExpectedOrder::draw_apart(const std::unordered_set<uint64_t>& visited) {
  constexpr double kStep = 1.005;
  for (const Expected& expected : order_) {
    if (expected.time < drawn_ * kStep || visited.contains(expected.config)) continue;
    drawn_ = expected.time;
    return expected.config;
  }
  return std::nullopt;
}

std::vector<uint64_t> ExpectedOrder::first(size_t count,
                                           const std::unordered_set<uint64_t>& visited) {
  while (begin_ < order_.size() && visited.contains(order_[begin_].config)) ++begin_;
  std::vector<uint64_t> configs;
  for (size_t i = begin_; i < order_.size() && configs.size() < count; ++i) {
    if (!visited.contains(order_[i].config)) configs.push_back(order_[i].config);
  }
  return configs;
}

}  // namespace opbench
