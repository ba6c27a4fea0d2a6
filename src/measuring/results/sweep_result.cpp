#include "measuring/results/sweep_result.h"

#include <map>

namespace opbench {

size_t point_count(const std::vector<SweepKey>& keys) {
  size_t count = 1;
  for (const SweepKey& key : keys) count *= key.values.size();
  return count;
}

std::vector<std::string> point_values(const std::vector<SweepKey>& keys, size_t index) {
  std::vector<std::string> values(keys.size());
  for (size_t i = keys.size(); i-- > 0;) {
    const std::vector<std::string>& all = keys[i].values;
    values[i] = all[index % all.size()];
    index /= all.size();
  }
  return values;
}

std::optional<double> item_ms(const SweepPoint& point) {
  if (!point.time || point.batch < 1) return {};
  return point.time->median_ms / static_cast<double>(point.batch);
}

std::vector<std::optional<double>> speed_ups(const SweepResult& result) {
  const size_t length = result.keys.empty() ? 1 : result.keys.back().values.size();
  std::map<size_t, double> first_ms;
  for (const SweepPoint& point : result.points) {
    const auto ms = item_ms(point);
    if (ms && point.index % length == 0) first_ms[point.index / length] = *ms;
  }
  std::vector<std::optional<double>> all;
  for (const SweepPoint& point : result.points) {
    const auto first = first_ms.find(point.index / length);
    const auto ms = item_ms(point);
    const bool has_both = ms && *ms > 0 && first != first_ms.end();
    all.push_back(has_both ? std::optional(first->second / *ms) : std::nullopt);
  }
  return all;
}

}  // namespace opbench
