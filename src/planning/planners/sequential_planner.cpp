#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"

namespace opbench {
namespace {

ExecutionPlan plan_of_sequential(const TimedGraph& timed, const PlannerOptions& options) {
  return sequential_plan(timed, options.workers);
}

}  // namespace

PlannerDef sequential_planner() {
  return {.name = kSequentialPlanner,
          .summary = "one unit after the other, each by all workers",
          .plan = plan_of_sequential};
}

}  // namespace opbench
