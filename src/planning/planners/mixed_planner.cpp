#include <limits>
#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/simulator/simulation.h"

namespace opbench {
namespace {

constexpr const char* kMixedName = "mixed";

/// The fastest plan of all other planners, by its simulated time; of equals the first by name.
ExecutionPlan fastest_plan(const TimedGraph& piece, const PlannerOptions& options) {
  ExecutionPlan best;
  double least = std::numeric_limits<double>::infinity();
  for (const PlannerDef& planner : planner_table().all()) {
    if (planner.name == kMixedName) continue;
    ExecutionPlan plan = planner.plan(piece, options);
    const double makespan = simulated_ms(piece, plan);
    if (makespan >= least) continue;
    least = makespan;
    best = std::move(plan);
  }
  return best;
}

ExecutionPlan mixed_plan(const TimedGraph& timed, const PlannerOptions& options) {
  return plan_by_pieces(timed, options, kMixedName, true,
                        [&](const TimedGraph& piece) { return fastest_plan(piece, options); });
}

}  // namespace

PlannerDef mixed_planner() {
  return {.name = kMixedName,
          .summary = "for each piece of the graph the fastest of the other planners' plans",
          .plan = mixed_plan};
}

}  // namespace opbench
