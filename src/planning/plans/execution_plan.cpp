#include "planning/plans/execution_plan.h"

#include <algorithm>

namespace opbench {

Result<double> step_ms(const TimedGraph& timed, const PlanStep& step) {
  const int size = static_cast<int>(step.workers.size());
  const auto team = std::ranges::find(timed.times.teams, size);
  if (team == timed.times.teams.end()) {
    return Error{ErrorCode::kInvalidInput,
                 "no times are known for a team of " + std::to_string(size)};
  }
  const auto at = static_cast<size_t>(team - timed.times.teams.begin());
  if (step.units.size() == 1) return timed.time_ms(step.units.front(), at);
  for (const MergedUnits& merge : timed.times.merges) {
    if (merge.units == step.units) return merge.times_ms[at];
  }
  return Error{ErrorCode::kInvalidInput, "no times are known for a kernel of several units"};
}

double transfer_ms(const EdgeCost& cost, const std::vector<int>& makers,
                   const std::vector<int>& readers) {
  if (cost.transfer_ms == 0 || std::ranges::is_permutation(makers, readers)) return 0;
  const bool has_all = std::ranges::all_of(
      readers, [&](int reader) { return std::ranges::count(makers, reader) > 0; });
  const double own = has_all ? 1.0 / static_cast<double>(makers.size()) : 0;
  return cost.transfer_ms * (1 - own) / static_cast<double>(readers.size());
}

double reuse_ms(const TimedGraph& timed, const PlanStep& before, const PlanStep& step) {
  const bool is_alone = before.workers.size() == 1 && step.workers == before.workers &&
                        before.units.size() == 1 && step.units.size() == 1;
  return is_alone ? reuse_ms(timed, before.units.front(), step.units.front()) : 0;
}

void set_waits(const UnitGraph& graph, ExecutionPlan& plan) {
  std::vector<std::vector<bool>> seen(static_cast<size_t>(plan.workers),
                                      std::vector<bool>(graph.size()));
  for (PlanStep& step : plan.steps) {
    const auto& known = seen[static_cast<size_t>(step.workers.front())];
    step.waits.clear();
    for (const int unit : step.units) {
      for (const UnitNeed& need : graph.unit(unit).needs) {
        if (!known[static_cast<size_t>(need.unit)]) step.waits.push_back(need.unit);
      }
    }
    std::ranges::sort(step.waits);
    const auto rest = std::ranges::unique(step.waits);
    step.waits.erase(rest.begin(), rest.end());
    for (const int worker : step.workers) {
      for (const int unit : step.units) {
        seen[static_cast<size_t>(worker)][static_cast<size_t>(unit)] = true;
      }
    }
  }
}

std::vector<int> steps_of_units(const UnitGraph& graph, const ExecutionPlan& plan) {
  std::vector<int> steps(graph.size(), -1);
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    for (const int unit : plan.steps[i].units) {
      steps[static_cast<size_t>(unit)] = static_cast<int>(i);
    }
  }
  return steps;
}

void append_part(ExecutionPlan& whole, const ExecutionPlan& part, const std::vector<int>& units) {
  for (PlanStep step : part.steps) {
    for (int& unit : step.units) unit = units[static_cast<size_t>(unit)];
    step.waits.clear();
    whole.steps.push_back(std::move(step));
  }
}

}  // namespace opbench
