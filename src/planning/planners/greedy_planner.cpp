#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/planners/stages.h"

namespace opbench {
namespace {

/// Stages of all units that are ready, as IOS's baseline has them. Pieces of more units than a
/// stage's mask holds are cut.
ExecutionPlan greedy_plan_piece(const TimedGraph& piece, int workers) {
  ScheduleDraft draft(piece, workers);
  std::vector<bool> is_done(piece.size());
  for (size_t done = 0; done < piece.size();) {
    std::vector<int> ready;
    for (size_t i = 0; i < piece.size() && ready.size() < kMostMaskedUnits; ++i) {
      bool is_ready = !is_done[i];
      for (const UnitNeed& need : piece.graph.units[i].needs) {
        is_ready = is_ready && is_done[static_cast<size_t>(need.unit)];
      }
      if (is_ready) ready.push_back(static_cast<int>(i));
    }
    const TimedGraph together = subgraph_of(piece, ready);
    const UnitMask all =
        ready.size() == kMostMaskedUnits ? ~UnitMask{0} : (UnitMask{1} << ready.size()) - 1;
    Stage stage = best_stage(together, workers, all);
    for (StageGroup& group : stage.groups) {
      for (int& unit : group.units) unit = ready[static_cast<size_t>(unit)];
    }
    if (stage.merge >= 0) {
      // The same merge by its index among those of the piece.
      for (size_t i = 0; i < piece.times.merges.size(); ++i) {
        if (piece.times.merges[i].units == ready) stage.merge = static_cast<int>(i);
      }
    }
    place_stage(piece, stage, workers, draft);
    for (const int unit : ready) is_done[static_cast<size_t>(unit)] = true;
    done += ready.size();
  }
  return draft.plan("greedy");
}

ExecutionPlan greedy_plan(const TimedGraph& timed, const PlannerOptions& options) {
  return plan_by_pieces(timed, options, "greedy", false, [&](const TimedGraph& piece) {
    return greedy_plan_piece(piece, options.workers);
  });
}

}  // namespace

PlannerDef greedy_planner() {
  return {.name = "greedy",
          .summary = "all units that are ready run side by side, stage by stage",
          .plan = greedy_plan};
}

}  // namespace opbench
