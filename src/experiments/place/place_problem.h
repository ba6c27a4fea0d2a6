#pragma once

#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/place_graph.h"
#include "experiments/place/energy_constants.h"
#include "planning/place/placement_problem.h"

namespace opbench {

/// The problem of placements: a unit's energy is what its device draws more than when idle; all
/// devices draw idle power for the whole makespan. A transfer takes its bytes' time and energy.
/// `kInvalidInput` that names the unit where the bytes of an edge are not known.
Result<PlacementProblem> problem_of(const PlaceGraph& graph, const std::vector<DevicePower>& powers,
                                    double transfer_pj_per_byte);

}  // namespace opbench
