#include "planning/graphs/ceiling.h"

#include <algorithm>
#include <limits>

namespace opbench {
namespace {

/// The least time of workers that a unit takes, busy or idle beside it.
double slowed_area_ms(const TimedGraph& timed, int unit, int workers, double slowdown) {
  double least = std::numeric_limits<double>::infinity();
  for (size_t team = 0; team < teams_within(timed, workers); ++team) {
    const double busy =
        timed.times.teams[team] * (timed.times.teams[team] < workers ? slowdown : 1);
    least = std::min(least, std::min<double>(busy, workers) * timed.time_ms(unit, team));
  }
  return least;
}

Ceiling ceiling_of_whole(const TimedGraph& timed, int workers,
                         const std::vector<double>& slowdowns) {
  Ceiling ceiling;
  for (size_t i = 0; i < timed.size(); ++i) {
    const int unit = static_cast<int>(i);
    const double area_ms = slowdowns.empty() ? least_area_ms(timed, unit, workers)
                                             : slowed_area_ms(timed, unit, workers, slowdowns[i]);
    ceiling.area_ms += area_ms / workers;
  }
  for (const double tail : tails_of(timed, workers)) {
    ceiling.path_ms = std::max(ceiling.path_ms, tail);
  }
  ceiling.bound_ms = std::max(ceiling.area_ms, ceiling.path_ms);
  return ceiling;
}

/// As if one worker always found the weights that it may reuse.
TimedGraph warm_graph(TimedGraph timed) {
  for (UnitTimes& unit : timed.times.units) unit.times_ms.front() -= unit.reuse_ms;
  return timed;
}

}  // namespace

Ceiling ceiling_of(const TimedGraph& timed, int workers, const std::vector<double>& slowdowns) {
  const TimedGraph warm = warm_graph(timed);
  Ceiling ceiling = ceiling_of_whole(warm, workers, slowdowns);
  const size_t all = teams_within(timed, workers) - 1;
  for (const UnitTimes& unit : timed.times.units) ceiling.sequential_ms += unit.times_ms[all];
  for (const auto& piece : pieces_of(warm.graph)) {
    std::vector<double> part;
    if (!slowdowns.empty())
      for (const int unit : piece) part.push_back(slowdowns[static_cast<size_t>(unit)]);
    ceiling.pieces_ms += ceiling_of_whole(subgraph_of(warm, piece), workers, part).bound_ms;
  }
  return ceiling;
}

}  // namespace opbench
