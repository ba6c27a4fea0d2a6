#include "engines/package/side_teams.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "engines/runtime/teams/team_order.h"

namespace opbench {
namespace {

constexpr int kHostWorker = 0;
constexpr int kDeviceWorker = 1;

/// Emits steps behind what they need.
class SideOrder {
 public:
  explicit SideOrder(const Program& program)
      : program_(program), is_emitted_(program.steps.size(), false) {}

  TeamProgram run(const std::vector<int>& first) {
    teams_.workers = 2;
    for (const int step : first) emit(step);
    for (int step = 0; step < std::ssize(program_.steps); ++step) emit(step);
    return std::move(teams_);
  }

 private:
  void emit(int number) {
    const auto index = static_cast<size_t>(number);
    if (is_emitted_[index]) return;
    is_emitted_[index] = true;
    const Step& step = program_.steps[index];
    for (const int need : step.needs) emit(need);
    const bool is_host = step.copy == StepCopy::kNone && step.runs_on == MemoryScope::kHost;
    teams_.steps.push_back(
        {.step = number, .workers = {is_host ? kHostWorker : kDeviceWorker}, .waits = step.needs});
    if (is_host) return;
    for (int copy = 0; copy < std::ssize(program_.steps); ++copy) {
      const Step& other = program_.steps[static_cast<size_t>(copy)];
      if (other.copy == StepCopy::kToHost && other.needs == std::vector<int>{number}) emit(copy);
    }
  }

  const Program& program_;
  std::vector<bool> is_emitted_;
  TeamProgram teams_;
};

}  // namespace

TeamProgram teams_of_sides(const MemoryPlan& plan, const std::vector<PlannedStep>& steps,
                           const UnitPlacement& placement) {
  std::map<std::string, int> unit_of;  // by the value that it makes
  for (int i = 0; i < std::ssize(plan.planned); ++i) {
    const PlannedStep& step = steps[plan.planned[static_cast<size_t>(i)]];
    if (!step.identity.nodes.empty()) unit_of[step.values.output] = i;
  }
  std::vector<int> first;
  for (const std::string& value : placement.order) {
    if (const auto unit = unit_of.find(value); unit != unit_of.end()) first.push_back(unit->second);
  }
  return SideOrder(plan.program).run(first);
}

Result<MemoryPlan> plan_for_sides(const Model& model, const std::vector<PlannedStep>& steps,
                                  const MemoryPlan& plan, const UnitPlacement& placement,
                                  const GivenLayouts& given, const MemoryBoundaries& boundaries) {
  TeamProgram teams = teams_of_sides(plan, steps, placement);
  OPBENCH_TRY(const StepOrder order, order_of_teams(teams, plan.planned.size()));
  MemoryPlan again = plan_memory(model, steps, given, waits_of(order), boundaries);
  again.program.teams = std::move(teams);
  return again;
}

}  // namespace opbench
