#pragma once

#include <vector>

#include "experiments/devices/place_graph.h"
#include "experiments/place/energy_constants.h"
#include "planning/place/placement_problem.h"

namespace opbench {

/// The problem of placements: a unit's energy is what its device draws more than when idle; all
/// devices draw idle power for the whole makespan.
PlacementProblem problem_of(const PlaceGraph& graph, const std::vector<DevicePower>& powers,
                            double transfer_pj_per_byte);

}  // namespace opbench
