#include "planning/graphs/slowed_graph.h"

#include <algorithm>

namespace opbench {

std::vector<double> least_slowdowns(const UnitGraph& graph, const PairSlowdown& slowdown) {
  constexpr double kNone = 0;
  std::vector<double> least(graph.size(), kNone);
  const std::vector<BitSet> ancestors = ancestors_of(graph);
  const auto take = [&](size_t unit, size_t beside) {
    const double factor = std::max(1.0, slowdown(static_cast<int>(unit), static_cast<int>(beside)));
    if (least[unit] == kNone || factor < least[unit]) least[unit] = factor;
  };
  for (size_t later = 0; later < graph.size(); ++later) {
    for (size_t earlier = 0; earlier < later; ++earlier) {
      if (ancestors[later][earlier]) continue;
      take(later, earlier);
      take(earlier, later);
    }
  }
  for (double& factor : least) factor = std::max(1.0, factor);
  return least;
}

TimedGraph slowed_graph(TimedGraph timed, int workers, const std::vector<double>& factors) {
  const auto slow = [&](std::vector<double>& times_ms, double factor) {
    for (size_t team = 0; team < times_ms.size(); ++team)
      if (timed.times.teams[team] < workers) times_ms[team] *= factor;
  };
  for (size_t i = 0; i < timed.size(); ++i) slow(timed.times.units[i].times_ms, factors[i]);
  for (MergedUnits& merged : timed.times.merges) {
    double most = 1;
    for (const int unit : merged.units) most = std::max(most, factors[static_cast<size_t>(unit)]);
    slow(merged.times_ms, most);
  }
  return timed;
}

}  // namespace opbench
