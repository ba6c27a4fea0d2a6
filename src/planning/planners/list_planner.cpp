#include <algorithm>
#include <optional>
#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/planners/schedule_draft.h"

namespace opbench {
namespace {

/// HEFT (Topcuoglu and others 2002): of the units that are ready the one with the longest way to
/// the end comes first, on the team that ends it first. The earliest end always wants the largest
/// team, which is the sequential plan, so teams have a limit.
ScheduleDraft schedule(const UnitGraph& piece, int workers, size_t teams) {
  const std::vector<double> tails = tails_of(piece, workers);
  std::vector<int> order(piece.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](int unit) { return tails[static_cast<size_t>(unit)]; });
  ScheduleDraft draft(piece, workers);
  for (const int unit : order) {
    Spot best = draft.spot(unit, 0);
    for (size_t team = 1; team < teams; ++team) {
      Spot spot = draft.spot(unit, team);
      if (spot.end_ms < best.end_ms) best = std::move(spot);
    }
    draft.place(unit, best);
  }
  return draft;
}

ExecutionPlan plan_piece(const UnitGraph& piece, int workers) {
  std::optional<ScheduleDraft> best;
  for (size_t teams = 1; teams <= teams_within(piece, workers); ++teams) {
    ScheduleDraft draft = schedule(piece, workers, teams);
    if (!best || draft.makespan_ms() < best->makespan_ms()) best.emplace(std::move(draft));
  }
  return best->plan("list");
}

ExecutionPlan plan(const UnitGraph& graph, const PlannerOptions& options) {
  return plan_by_pieces(graph, options, "list", true,
                        [&](const UnitGraph& piece) { return plan_piece(piece, options.workers); });
}

}  // namespace

PlannerDef list_planner() {
  return {.name = "list",
          .summary = "the critical path first, each unit where it ends first (HEFT)",
          .plan = plan};
}

}  // namespace opbench
