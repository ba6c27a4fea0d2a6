#include "planning/planners/critical_path.h"
#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"

namespace opbench {
namespace {

ExecutionPlan stream_plan(const TimedGraph& timed, const PlannerOptions& options) {
  return plan_by_pieces(timed, options, kStreamPlanner, false, [&](const TimedGraph& piece) {
    return by_critical_path(piece, options.workers, 1).plan(kStreamPlanner);
  });
}

}  // namespace

PlannerDef stream_planner() {
  return {.name = kStreamPlanner,
          .summary = "every unit on one worker, the critical path first: no parallel loops",
          .plan = stream_plan};
}

}  // namespace opbench
