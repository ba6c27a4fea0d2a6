#include "planning/place/partition.h"

#include <algorithm>
#include <utility>

namespace opbench {

double split_ms(const SplitCosts& costs, int first_parts) {
  const int second = costs.parts - first_parts;
  if (first_parts == 0) return costs.second_ms(second);
  if (second == 0) return costs.first_ms(first_parts);
  return std::max(costs.first_ms(first_parts), costs.second_ms(second)) + costs.join_ms;
}

Split best_split(const SplitCosts& costs) {
  Split best{.first_parts = 0, .time_ms = split_ms(costs, 0)};
  for (int first = 1; first <= costs.parts; ++first) {
    const double time = split_ms(costs, first);
    if (time < best.time_ms) best = {first, time};
  }
  return best;
}

SplitBalancer::SplitBalancer(SplitCosts expected, int first_parts, const Options& options)
    : expected_(std::move(expected)), first_parts_(first_parts), options_(options) {}

void SplitBalancer::learn(double& factor, double expected_ms, double time_ms) const {
  constexpr double kNoNoise = 0.2;
  const double now = time_ms / expected_ms;
  const bool is_new = now < factor * (1 - kNoNoise) || now > factor * (1 + kNoNoise);
  factor = is_new ? now : (1 - options_.weight) * factor + options_.weight * now;
}

void SplitBalancer::tell(double first_ms, double second_ms) {
  const int second_parts = expected_.parts - first_parts_;
  if (first_parts_ > 0) learn(first_factor_, expected_.first_ms(first_parts_), first_ms);
  if (second_parts > 0) learn(second_factor_, expected_.second_ms(second_parts), second_ms);
  const SplitCosts costs{
      .parts = expected_.parts,
      .first_ms = [&](int parts) { return first_factor_ * expected_.first_ms(parts); },
      .second_ms = [&](int parts) { return second_factor_ * expected_.second_ms(parts); },
      .join_ms = expected_.join_ms};
  const Split best = best_split(costs);
  const double now = split_ms(costs, first_parts_);
  if (best.time_ms < now * (1 - options_.hysteresis)) first_parts_ = best.first_parts;
}

double guided_ms(int parts, const std::vector<double>& speeds, double handoff_ms) {
  std::vector<std::function<double(int)>> times_ms;
  for (const double speed : speeds) {
    times_ms.push_back([speed](int chunk) { return chunk / speed; });
  }
  return guided_chunks_ms(parts, times_ms, handoff_ms);
}

double guided_chunks_ms(int parts, const std::vector<std::function<double(int parts)>>& times_ms,
                        double handoff_ms) {
  std::vector<double> free(times_ms.size(), 0);
  for (int left = parts; left > 0;) {
    const auto next = static_cast<size_t>(std::ranges::min_element(free) - free.begin());
    const int chunk = std::max(1, left / static_cast<int>(2 * times_ms.size()));
    free[next] += times_ms[next](chunk) + handoff_ms;
    left -= chunk;
  }
  return *std::ranges::max_element(free);
}

}  // namespace opbench
