#include "planning/planners/critical_path.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace opbench {

ScheduleDraft by_critical_path(const TimedGraph& timed, int workers, size_t teams) {
  const std::vector<double> tails = tails_of(timed, workers);
  std::vector<int> order(timed.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](int unit) { return tails[static_cast<size_t>(unit)]; });
  ScheduleDraft draft(timed, workers);
  for (const int unit : order) {
    Spot best = draft.spot(unit, 0);
    for (size_t team = 1; team < teams; ++team) {
      Spot spot = draft.spot(unit, team);
      if (spot.end_ms < best.end_ms) best = std::move(spot);
    }
    draft.place(unit, best);
  }
  return draft;
}

}  // namespace opbench
