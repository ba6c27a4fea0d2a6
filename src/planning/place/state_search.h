#pragma once

#include <cstddef>
#include <limits>

#include "planning/place/placement_front.h"

namespace opbench {

struct StateSearchOptions {
  bool counts_energy = false;  ///< false: only the shortest makespan counts
  /// Placements that end later are not looked for.
  double most_ms = std::numeric_limits<double>::infinity();
  /// With energy: placements that need more are not looked for.
  double most_mj = std::numeric_limits<double>::infinity();
  size_t most_states = 20000;  ///< after each unit; more are dropped
  /// A state gives way to one that is worse by so little that all such steps together lose at most
  /// this share of `most_ms` and of the largest energy. 0: to no worse one.
  double tolerance = 0;
};

struct StateSearchResult {
  PlacementFront front;     ///< without energy: the shortest alone
  bool is_complete = true;  ///< no state was dropped: the front is exact within the tolerance
  /// What no placement that went with a dropped state is below: its makespan; with energy, its
  /// energy. Infinite when none was dropped.
  double dropped_bound = std::numeric_limits<double>::infinity();
};

/// Places units in rank order, on every device, and keeps the states that no other state beats. A
/// state is when each device is free, when each result that is still needed is there and on which
/// device, and the energy until then. Of states with the same places, one beats another that is in
/// nothing better. Graphs with few live results, as chains of blocks are, have few states, however
/// many units they have. Schedules are those of cost_of.
StateSearchResult search_states(const PlacementProblem& problem, const StateSearchOptions& options);

}  // namespace opbench
