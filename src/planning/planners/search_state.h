#pragma once

#include <cstdint>
#include <vector>

#include "planning/graphs/timed_graph.h"

namespace opbench {

/// A schedule in the making whose steps are placed by their start: no later step starts before an
/// earlier one. Then all workers that are free at a start are alike, and which of them make the
/// team does not matter. Hand-offs are left out.
struct PlanSearchState {
  std::vector<double> free_ms;  ///< of the workers, ascending
  std::vector<double> end_ms;   ///< by unit; 0 until it is placed
  std::vector<int> open_needs;  ///< by unit: needs that are not placed yet; -1: it is placed itself
  std::vector<int> ready;       ///< units without open needs that are not placed, ascending
  double start_ms = 0;          ///< of the step placed last
  double left_area_ms = 0;      ///< least area of the units that are not placed
};

/// What does not change during a search.
struct SearchGraph {
  SearchGraph(const TimedGraph& units, int worker_count);

  const TimedGraph& timed;
  int workers = 1;
  size_t sizes = 1;  ///< of teams
  std::vector<std::vector<int>> successors;
  std::vector<double> tails;  ///< tails_of
  std::vector<double> areas;  ///< least_area_ms
  double area_ms = 0;         ///< their sum
};

PlanSearchState first_state(const SearchGraph& search);

/// A unit by a team as the next step.
struct SearchStep {
  int unit = 0;
  size_t team = 0;
  double start_ms = 0;
  double end_ms = 0;
};

SearchStep next_step(const SearchGraph& search, const PlanSearchState& state, int unit,
                     size_t team);

/// No schedule that goes on with the step ends before.
double bound_after(const SearchGraph& search, const PlanSearchState& state, const SearchStep& step);

/// The time of workers that the step's schedule has wasted so far: idle, or spent on larger teams
/// than the cheapest.
double waste_of(const SearchGraph& search, const PlanSearchState& state, const SearchStep& step);

void apply(const SearchGraph& search, const SearchStep& step, PlanSearchState& state);

}  // namespace opbench
