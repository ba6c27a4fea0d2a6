#pragma once

#include <functional>
#include <string>

#include "planning/planners/planner.h"

namespace opbench {

/// Plans the pieces of the graph (pieces_of) one after the other. With `keeps_sequential`, a piece
/// whose plan would not be faster by its simulated time and the transfers at its borders runs
/// sequentially.
ExecutionPlan plan_by_pieces(const TimedGraph& timed, const PlannerOptions& options,
                             const std::string& planner, bool keeps_sequential,
                             const std::function<ExecutionPlan(const TimedGraph& piece)>& plan);

/// One unit after the other, each by the largest team that there are workers for.
ExecutionPlan sequential_plan(const TimedGraph& timed, int workers);

}  // namespace opbench
