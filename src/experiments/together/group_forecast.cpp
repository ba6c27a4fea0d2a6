#include "experiments/together/group_forecast.h"

#include <algorithm>
#include <limits>

namespace opbench {
namespace {

/// Index of the unit that the other worker helps with once it has ended its own; nothing: none.
std::optional<size_t> helped_unit(Arrangement arrangement) {
  if (arrangement == Arrangement::kHelpsFirst) return 0;
  if (arrangement == Arrangement::kHelpsSecond) return 1;
  return std::nullopt;
}

double time_on(const UnitConfig& config, int threads) {
  if (threads == 1) return config.one_ms;
  return config.two_ms.value_or(std::numeric_limits<double>::infinity());
}

}  // namespace

std::optional<double> makespan_ms(Arrangement arrangement,
                                  const std::array<const UnitConfig*, 2>& configs,
                                  const std::array<double, 2>& slowdowns) {
  if (arrangement == Arrangement::kSequential) {
    if (!configs[0]->two_ms || !configs[1]->two_ms) return std::nullopt;
    return *configs[0]->two_ms + *configs[1]->two_ms;
  }
  const auto helped = helped_unit(arrangement);
  if (helped && !configs[*helped]->two_ms) return std::nullopt;
  const std::array<double, 2> beside = {configs[0]->one_ms * slowdowns[0],
                                        configs[1]->one_ms * slowdowns[1]};
  const size_t last = beside[0] >= beside[1] ? 0 : 1;
  const double both_ms = beside[1 - last];
  const double left = 1 - both_ms / beside[last];
  const bool has_help = helped && *helped == last;
  return both_ms + left * (has_help ? *configs[last]->two_ms : configs[last]->one_ms);
}

std::vector<GroupForecast> group_forecasts(const std::array<std::vector<UnitConfig>, 2>& lists,
                                           bool are_equal, const SlowdownsOf& slowdowns) {
  std::vector<GroupForecast> result;
  for (size_t i = 0; i < lists[0].size(); ++i) {
    for (size_t j = 0; j < lists[1].size(); ++j) {
      if (are_equal && i != j) continue;
      const std::array<double, 2> slowed = slowdowns(i, j);
      for (const Arrangement arrangement : all_arrangements()) {
        const auto ms = makespan_ms(arrangement, {&lists[0][i], &lists[1][j]}, slowed);
        if (ms) result.push_back({arrangement, {i, j}, *ms});
      }
    }
  }
  std::ranges::stable_sort(result, [](const GroupForecast& a, const GroupForecast& b) {
    if (a.predicted_ms != b.predicted_ms) return a.predicted_ms < b.predicted_ms;
    return a.arrangement < b.arrangement;
  });
  return result;
}

size_t fastest_config(const std::vector<UnitConfig>& list, int threads) {
  const auto fastest = std::ranges::min_element(
      list, {}, [&](const UnitConfig& config) { return time_on(config, threads); });
  return static_cast<size_t>(fastest - list.begin());
}

}  // namespace opbench
