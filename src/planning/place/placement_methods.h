#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planning/place/placement_problem.h"

namespace opbench {

/// Every unit where it is fastest; of equals the first device.
Placement own_fastest(const PlacementProblem& problem);

/// The unit with the longest of its fastest times first, among those whose needs are placed, to the
/// device that ends it first.
Placement greedy_placement(const PlacementProblem& problem);

/// In rank order to the device that ends it first (HEFT, Topcuoglu and others 2002).
Placement heft_placement(const PlacementProblem& problem);

/// Energy saved within the goal's time by a beam search in rank order; half of the states that are
/// kept are those with the least energy, half those with the most time left. Nothing where none of
/// them ends in time.
std::optional<Placement> beam_placement(const PlacementProblem& problem, const PlacementGoal& goal);

struct EquilibriumOptions {
  int random_starts = 8;
  uint64_t seed = 0;
  std::vector<Placement> more_starts = {};  ///< besides own_fastest and random ones
};

struct Equilibrium {
  Placement placement;
  int moves = 0;        ///< of units, alone and together, over all starts
  double worst_ms = 0;  ///< makespan of the worst equilibrium that a start led to
};

/// The best equilibrium of a game in which a unit's cost is what it adds to the potential of the
/// goal (marginal contribution: Wolpert and Tumer). A unit's best response then lowers the
/// potential, so that responses end (Monderer and Shapley 1996). No two units gain by moving
/// together either. Starts: own_fastest, random ones, and the caller's.
Equilibrium find_equilibrium(const PlacementProblem& problem, const PlacementGoal& goal,
                             const EquilibriumOptions& options = {});

/// The best of all placements by branch and bound, with the schedule that cost_of makes of each.
/// Meant for up to about 20 units on 2 devices.
Placement best_placement(const PlacementProblem& problem, const PlacementGoal& goal);

}  // namespace opbench
