#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/lane.h"
#include "planning/plans/plan_file.h"

namespace opbench {

/// What it costs to read what another CPU made, by model.
struct HandoffCost {
  double latency_ms = 0;   ///< until a worker knows that it is there
  double ms_per_byte = 0;  ///< longer than to read what it made itself
};

/// The units of packages for teams of different sizes (a lane each) as a graph without times, with
/// an edge wherever a step reads what another wrote last. `kInvalidInput` where the packages do not
/// consist of the same units; `kSystem` when a package cannot be read.
Result<UnitGraph> graph_of_lanes(const std::vector<Lane>& lanes, const HandoffCost& handoff);

std::vector<PlanUnitFacts> facts_of(const Lane& lane);

/// SHA-256 over what names the kernels of all lanes: version of the schedules, workload, layouts,
/// schedule and origin.
std::string kernels_sha256(const std::vector<Lane>& lanes);

}  // namespace opbench
