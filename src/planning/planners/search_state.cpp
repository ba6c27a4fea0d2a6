#include "planning/planners/search_state.h"

#include <algorithm>

namespace opbench {

SearchGraph::SearchGraph(const TimedGraph& units, int worker_count)
    : timed(units),
      workers(worker_count),
      sizes(teams_within(units, worker_count)),
      successors(successors_of(units.graph)),
      tails(tails_of(units, worker_count)) {
  for (size_t i = 0; i < units.size(); ++i) {
    areas.push_back(least_area_ms(units, static_cast<int>(i), worker_count));
    area_ms += areas.back();
  }
}

PlanSearchState first_state(const SearchGraph& search) {
  PlanSearchState state;
  state.free_ms.assign(static_cast<size_t>(search.workers), 0);
  state.end_ms.assign(search.timed.size(), 0);
  for (size_t i = 0; i < search.timed.size(); ++i) {
    state.open_needs.push_back(static_cast<int>(search.timed.graph.units[i].needs.size()));
    if (state.open_needs.back() == 0) state.ready.push_back(static_cast<int>(i));
    state.left_area_ms += search.areas[i];
  }
  return state;
}

namespace {

double ready_ms(const SearchGraph& search, const PlanSearchState& state, int unit) {
  double ready = 0;
  for (const UnitNeed& need : search.timed.unit(unit).needs) {
    ready = std::max(ready, state.end_ms[static_cast<size_t>(need.unit)]);
  }
  return ready;
}

/// The workers' time until all are free, when the earlier of them wait for the step's start.
double used_ms(const SearchGraph& search, const PlanSearchState& state, const SearchStep& step) {
  const auto size = static_cast<size_t>(search.timed.times.teams[step.team]);
  double used = static_cast<double>(size) * step.end_ms;
  for (size_t i = size; i < state.free_ms.size(); ++i) {
    used += std::max(state.free_ms[i], step.start_ms);
  }
  return used;
}

}  // namespace

SearchStep next_step(const SearchGraph& search, const PlanSearchState& state, int unit,
                     size_t team) {
  const auto size = static_cast<size_t>(search.timed.times.teams[team]);
  const double start =
      std::max({state.start_ms, state.free_ms[size - 1], ready_ms(search, state, unit)});
  return {unit, team, start, start + search.timed.time_ms(unit, team)};
}

double bound_after(const SearchGraph& search, const PlanSearchState& state,
                   const SearchStep& step) {
  const auto unit = static_cast<size_t>(step.unit);
  const double area = used_ms(search, state, step) + state.left_area_ms - search.areas[unit];
  double bound = std::max({area / search.workers, state.free_ms.back(), step.end_ms});
  // What comes after the unit, and the ways to the end of the others that are ready.
  const double own = search.timed.time_ms(step.unit, step.team);
  const double fastest = fastest_ms(search.timed, step.unit, search.workers);
  bound = std::max(bound, step.start_ms + own + search.tails[unit] - fastest);
  for (const int other : state.ready) {
    if (other == step.unit) continue;
    const double start = std::max(step.start_ms, ready_ms(search, state, other));
    bound = std::max(bound, start + search.tails[static_cast<size_t>(other)]);
  }
  return bound;
}

double waste_of(const SearchGraph& search, const PlanSearchState& state, const SearchStep& step) {
  const double placed =
      search.area_ms + (search.areas[static_cast<size_t>(step.unit)] - state.left_area_ms);
  return used_ms(search, state, step) - placed;
}

void apply(const SearchGraph& search, const SearchStep& step, PlanSearchState& state) {
  const auto size = static_cast<size_t>(search.timed.times.teams[step.team]);
  const auto unit = static_cast<size_t>(step.unit);
  for (size_t i = 0; i < size; ++i) state.free_ms[i] = step.end_ms;
  std::ranges::sort(state.free_ms);
  state.start_ms = step.start_ms;
  state.end_ms[unit] = step.end_ms;
  state.open_needs[unit] = -1;
  state.left_area_ms -= search.areas[unit];
  std::erase(state.ready, step.unit);
  for (const int next : search.successors[unit]) {
    if (--state.open_needs[static_cast<size_t>(next)] > 0) continue;
    state.ready.insert(std::ranges::upper_bound(state.ready, next), next);
  }
}

}  // namespace opbench
