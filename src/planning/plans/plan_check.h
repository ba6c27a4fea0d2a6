#pragma once

#include "planning/plans/execution_plan.h"

namespace opbench {

/// Whether a plan computes the graph. Shares no code with planners. `kInvalidInput`, naming the
/// step, for:
/// - workers that do not exist or stand twice in a team;
/// - units that are missing, unknown or run twice;
/// - kernels without times;
/// - waits for units that do not exist, and steps that wait for each other;
/// - a unit that may start before what it needs has ended.
///
/// A leader is not ordered after what its helpers did before, so it must wait for that explicitly.
Result<void> check_plan(const TimedGraph& timed, const ExecutionPlan& plan);

}  // namespace opbench
