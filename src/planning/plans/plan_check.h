#pragma once

#include "planning/plans/execution_plan.h"

namespace opbench {

/// Whether a plan computes the graph: shares no code with planners. `kInvalidInput` that names the
/// step for: workers that do not exist or stand twice in a team, units that are missing, unknown or
/// run twice, kernels without times, waits for units that do not exist or whose steps wait for each
/// other, and a unit that may start before what it needs has ended. A leader does not happen after
/// what its helpers did before, so it must wait for that itself.
Result<void> check_plan(const UnitGraph& graph, const ExecutionPlan& plan);

}  // namespace opbench
