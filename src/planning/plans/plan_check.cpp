#include "planning/plans/plan_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace opbench {
namespace {

using Links = std::vector<std::vector<int>>;

class PlanCheck {
 public:
  PlanCheck(const TimedGraph& timed, const ExecutionPlan& plan) : timed_(timed), plan_(plan) {}

  Result<void> run() {
    if (plan_.workers < 1) return invalid_input("a plan has at least one worker");
    for (size_t i = 0; i < plan_.steps.size(); ++i) OPBENCH_CHECK(check_step(i));
    OPBENCH_CHECK(check_units());
    for (size_t i = 0; i < plan_.steps.size(); ++i) OPBENCH_CHECK(check_waits(i));
    link();
    OPBENCH_TRY(const std::vector<int> order, order_of(starts_after_));
    return check_needs(order);
  }

 private:
  bool is_unit(int unit) const { return unit >= 0 && unit < static_cast<int>(timed_.size()); }

  Result<void> check_step(size_t i) const {
    const PlanStep& step = plan_.steps[i];
    if (step.units.empty() || step.workers.empty()) {
      return invalid_input(fmt::format("step {} has no unit or no worker", i));
    }
    std::set<int> workers;
    for (const int worker : step.workers) {
      if (worker < 0 || worker >= plan_.workers) {
        return invalid_input(fmt::format("step {} names worker {}", i, worker))
            .with("workers", fmt::format("0 to {}", plan_.workers - 1));
      }
      if (!workers.insert(worker).second) {
        return invalid_input(fmt::format("step {} names worker {} twice", i, worker));
      }
    }
    for (const int unit : step.units) {
      if (!is_unit(unit)) return unknown_unit(i, "runs", unit);
    }
    const Result<double> time = step_ms(timed_, step);
    if (!time) return invalid_input(fmt::format("step {}: {}", i, time.error().message));
    return {};
  }

  Error unknown_unit(size_t step, const std::string& verb, int unit) const {
    return invalid_input(
               fmt::format("step {} {} unit {}, which the model does not have", step, verb, unit))
        .with("units", fmt::format("0 to {}", static_cast<int>(timed_.size()) - 1));
  }

  Result<void> check_units() {
    step_of_.assign(timed_.size(), -1);
    for (size_t i = 0; i < plan_.steps.size(); ++i) {
      for (const int unit : plan_.steps[i].units) {
        int& step = step_of_[static_cast<size_t>(unit)];
        if (step >= 0)
          return invalid_input(fmt::format("unit {} runs in steps {} and {}", unit, step, i));
        step = static_cast<int>(i);
      }
    }
    const auto missing = std::ranges::find(step_of_, -1);
    if (missing == step_of_.end()) return {};
    return invalid_input(fmt::format("unit {} runs in no step", missing - step_of_.begin()));
  }

  Result<void> check_waits(size_t i) const {
    for (const int unit : plan_.steps[i].waits) {
      if (!is_unit(unit)) return unknown_unit(i, "waits for", unit);
    }
    return {};
  }

  /// What a step starts after: the steps of its waits, and the one before it in the program of each
  /// worker of its team.
  void link() {
    std::vector<int> last(static_cast<size_t>(plan_.workers), -1);
    starts_after_.resize(plan_.steps.size());
    for (size_t i = 0; i < plan_.steps.size(); ++i) {
      for (const int unit : plan_.steps[i].waits) {
        starts_after_[i].push_back(step_of_[static_cast<size_t>(unit)]);
      }
      for (const int worker : plan_.steps[i].workers) {
        int& before = last[static_cast<size_t>(worker)];
        if (before >= 0) starts_after_[i].push_back(before);
        before = static_cast<int>(i);
      }
    }
  }

  Result<std::vector<int>> order_of(const Links& before) const {
    std::vector<int> order, open(before.size(), 0);
    Links after(before.size());
    for (size_t i = 0; i < before.size(); ++i) {
      open[i] = static_cast<int>(before[i].size());
      for (const int j : before[i]) after[static_cast<size_t>(j)].push_back(static_cast<int>(i));
    }
    for (size_t i = 0; i < open.size(); ++i) {
      if (open[i] == 0) order.push_back(static_cast<int>(i));
    }
    for (size_t at = 0; at < order.size(); ++at) {
      for (const int next : after[static_cast<size_t>(order[at])]) {
        if (--open[static_cast<size_t>(next)] == 0) order.push_back(next);
      }
    }
    if (order.size() == before.size()) return order;
    const auto stuck = std::ranges::find_if(open, [](int count) { return count > 0; });
    const auto step = static_cast<size_t>(stuck - open.begin());
    return invalid_input(
        fmt::format("the waits of step {} (unit {}) lead in a circle: it never starts", step,
                    plan_.steps[step].units.front()));
  }

  /// Steps in an order in which they may start. A step happens after all that its leader did or
  /// waited for, then and before; what its helpers did is known only to themselves.
  Result<void> check_needs(const std::vector<int>& order) const {
    const size_t count = plan_.steps.size();
    std::vector<BitSet> ended(count);
    std::vector<BitSet> known(static_cast<size_t>(plan_.workers), BitSet(count));
    for (const int at : order) {
      const PlanStep& step = plan_.steps[static_cast<size_t>(at)];
      BitSet before = known[static_cast<size_t>(step.workers.front())];
      for (const int unit : step.waits) {
        const auto waited = static_cast<size_t>(step_of_[static_cast<size_t>(unit)]);
        before.add_all(ended[waited]);
        before.add(waited);
      }
      for (const int worker : step.workers) {
        BitSet& after = known[static_cast<size_t>(worker)];
        after.add_all(before);
        after.add(static_cast<size_t>(at));
      }
      ended[static_cast<size_t>(at)] = std::move(before);
    }
    for (size_t i = 0; i < timed_.size(); ++i) {
      const auto step = static_cast<size_t>(step_of_[i]);
      for (const UnitNeed& need : timed_.graph.units[i].needs) {
        const int earlier = step_of_[static_cast<size_t>(need.unit)];
        if (ended[step][static_cast<size_t>(earlier)]) continue;
        return invalid_input(
            fmt::format("unit {} may start before unit {} has ended, whose result it "
                        "reads",
                        i, need.unit));
      }
    }
    return {};
  }

  const TimedGraph& timed_;
  const ExecutionPlan& plan_;
  std::vector<int> step_of_;
  Links starts_after_;
};

}  // namespace

Result<void> check_plan(const TimedGraph& timed, const ExecutionPlan& plan) {
  return PlanCheck(timed, plan).run();
}

}  // namespace opbench
