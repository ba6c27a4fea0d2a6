#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/planners/stages.h"

namespace opbench {
namespace {

constexpr size_t kMostTransitions = 200000;  // of one search: some tenths of a second
constexpr size_t kDpMostUnits = 24;          // of a part that is searched as one

/// From no pruning to much; 3 and 8 are IOS's own.
constexpr std::array kLimits = {
    StageLimits{.most_transitions = kMostTransitions},
    StageLimits{.most_units = 3, .most_groups = 8, .most_transitions = kMostTransitions},
    StageLimits{.most_units = 2, .most_groups = 4, .most_transitions = kMostTransitions}};

/// Stages for units that are no more than one search takes; nothing if it takes too long.
std::optional<StagePartition> stages_of_part(const TimedGraph& part, int workers) {
  if (part.size() > kDpMostUnits) return std::nullopt;
  for (const StageLimits& limits : kLimits) {
    auto stages = best_stages(part, workers, limits);
    if (stages) return stages;
  }
  return std::nullopt;
}

/// The plan of a part whose units have these numbers in the piece: of halves where it is too large.
void plan_part(const TimedGraph& piece, const std::vector<int>& units, int workers,
               ExecutionPlan& whole) {
  const TimedGraph part = subgraph_of(piece, units);
  const auto stages = stages_of_part(part, workers);
  if (!stages) {
    const auto middle = units.begin() + static_cast<int64_t>(units.size() / 2);
    plan_part(piece, {units.begin(), middle}, workers, whole);
    plan_part(piece, {middle, units.end()}, workers, whole);
    return;
  }
  ScheduleDraft draft(part, workers);
  for (const Stage& stage : stages->stages) place_stage(part, stage, workers, draft);
  append_part(whole, draft.plan("dp"), units);
}

ExecutionPlan dp_plan(const TimedGraph& timed, const PlannerOptions& options) {
  return plan_by_pieces(timed, options, "dp", true, [&](const TimedGraph& piece) {
    ExecutionPlan whole{.planner = "dp", .workers = options.workers, .steps = {}};
    std::vector<int> units(piece.size());
    std::iota(units.begin(), units.end(), 0);
    plan_part(piece, units, options.workers, whole);
    set_waits(piece.graph, whole);
    return whole;
  });
}

}  // namespace

PlannerDef dp_planner() {
  return {.name = "dp",
          .summary = "the best sequence of stages, by dynamic programming (IOS)",
          .plan = dp_plan};
}

}  // namespace opbench
