#include "planning/planners/piece_plans.h"

#include <numeric>

#include "planning/simulator/simulation.h"

namespace opbench {

ExecutionPlan plan_by_pieces(const UnitGraph& graph, const PlannerOptions& options,
                             const std::string& planner, bool keeps_sequential,
                             const std::function<ExecutionPlan(const UnitGraph& piece)>& plan) {
  ExecutionPlan whole{.planner = planner, .workers = options.workers, .steps = {}};
  for (const auto& units : pieces_of(graph)) {
    const UnitGraph piece = subgraph_of(graph, units);
    ExecutionPlan part = plan(piece);
    if (keeps_sequential) {
      ExecutionPlan one_by_one = sequential_plan(piece, options.workers);
      if (simulated_ms(piece, part) >= simulated_ms(piece, one_by_one))
        part = std::move(one_by_one);
    }
    append_part(whole, part, units);
  }
  set_waits(graph, whole);
  return whole;
}

ExecutionPlan sequential_plan(const UnitGraph& graph, int workers) {
  ExecutionPlan plan{.planner = kSequentialPlanner, .workers = workers, .steps = {}};
  const int size = graph.teams[teams_within(graph, workers) - 1];
  std::vector<int> team(static_cast<size_t>(size));
  std::iota(team.begin(), team.end(), 0);
  for (size_t i = 0; i < graph.size(); ++i) {
    plan.steps.push_back({.units = {static_cast<int>(i)}, .workers = team, .waits = {}});
  }
  set_waits(graph, plan);
  return plan;
}

}  // namespace opbench
