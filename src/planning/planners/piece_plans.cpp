#include "planning/planners/piece_plans.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "planning/simulator/simulation.h"

namespace opbench {
namespace {

/// What the reader's edge from the maker costs; there is one.
const EdgeCost& cost_between(const TimedGraph& timed, int maker, int reader) {
  const std::vector<UnitNeed>& needs = timed.unit(reader).needs;
  const auto place = std::ranges::find(needs, maker, &UnitNeed::unit) - needs.begin();
  return timed.cost(reader, static_cast<size_t>(place));
}

/// What the plan of a piece costs at its borders, where all workers together make what it reads and
/// read what it makes: the largest sum of transfers of a worker.
double border_ms(const TimedGraph& timed, const std::vector<int>& units, const ExecutionPlan& part,
                 const std::vector<std::vector<int>>& successors) {
  std::vector<int> all(static_cast<size_t>(part.workers));
  std::iota(all.begin(), all.end(), 0);
  const auto is_outside = [&](int unit) { return !std::ranges::binary_search(units, unit); };
  std::vector<double> sums(all.size(), 0);
  for (const PlanStep& step : part.steps) {
    double sum = 0;
    for (const int inside : step.units) {
      const int unit = units[static_cast<size_t>(inside)];
      const std::vector<UnitNeed>& needs = timed.unit(unit).needs;
      for (size_t i = 0; i < needs.size(); ++i) {
        if (is_outside(needs[i].unit)) sum += transfer_ms(timed.cost(unit, i), all, step.workers);
      }
      for (const int reader : successors[static_cast<size_t>(unit)]) {
        if (!is_outside(reader)) continue;
        sum += transfer_ms(cost_between(timed, unit, reader), step.workers, all);
      }
    }
    for (const int worker : step.workers) sums[static_cast<size_t>(worker)] += sum;
  }
  return *std::ranges::max_element(sums);
}

}  // namespace

ExecutionPlan plan_by_pieces(const TimedGraph& timed, const PlannerOptions& options,
                             const std::string& planner, bool keeps_sequential,
                             const std::function<ExecutionPlan(const TimedGraph& piece)>& plan) {
  ExecutionPlan whole{.planner = planner, .workers = options.workers, .steps = {}};
  const auto successors = successors_of(timed.graph);
  for (const auto& units : pieces_of(timed.graph)) {
    const TimedGraph piece = subgraph_of(timed, units);
    ExecutionPlan part = plan(piece);
    if (keeps_sequential) {
      ExecutionPlan one_by_one = sequential_plan(piece, options.workers);
      const double apart_ms = simulated_ms(piece, part) + border_ms(timed, units, part, successors);
      const double in_turn_ms =
          simulated_ms(piece, one_by_one) + border_ms(timed, units, one_by_one, successors);
      if (apart_ms >= in_turn_ms) part = std::move(one_by_one);
    }
    append_part(whole, part, units);
  }
  set_waits(timed.graph, whole);
  return whole;
}

ExecutionPlan sequential_plan(const TimedGraph& timed, int workers) {
  ExecutionPlan plan{.planner = kSequentialPlanner, .workers = workers, .steps = {}};
  const int size = timed.times.teams[teams_within(timed, workers) - 1];
  std::vector<int> team(static_cast<size_t>(size));
  std::iota(team.begin(), team.end(), 0);
  for (size_t i = 0; i < timed.size(); ++i) {
    plan.steps.push_back({.units = {static_cast<int>(i)}, .workers = team, .waits = {}});
  }
  set_waits(timed.graph, plan);
  return plan;
}

}  // namespace opbench
