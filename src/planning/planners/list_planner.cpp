#include <optional>

#include "planning/planners/critical_path.h"
#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"

namespace opbench {
namespace {

/// The earliest end always wants the largest team, which is the sequential plan, so teams have a
/// limit.
ExecutionPlan list_plan_piece(const TimedGraph& piece, int workers) {
  std::optional<ScheduleDraft> best;
  for (size_t teams = 1; teams <= teams_within(piece, workers); ++teams) {
    ScheduleDraft draft = by_critical_path(piece, workers, teams);
    if (!best || draft.makespan_ms() < best->makespan_ms()) best.emplace(std::move(draft));
  }
  return best->plan("list");
}

ExecutionPlan list_plan(const TimedGraph& timed, const PlannerOptions& options) {
  return plan_by_pieces(timed, options, "list", true, [&](const TimedGraph& piece) {
    return list_plan_piece(piece, options.workers);
  });
}

}  // namespace

PlannerDef list_planner() {
  return {.name = "list",
          .summary = "the critical path first, each unit where it ends first (HEFT)",
          .plan = list_plan};
}

}  // namespace opbench
