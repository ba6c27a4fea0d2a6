#include "engines/runtime/teams/team_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "engines/runtime/step_dependencies.h"

namespace opbench {
namespace {

using Links = std::vector<std::vector<size_t>>;
using Known = BitSet;  ///< the steps that have ended

class TeamOrder {
 public:
  TeamOrder(const TeamProgram& teams, size_t steps) : teams_(teams), place_(steps, -1) {}

  Result<StepOrder> find() {
    for (size_t i = 0; i < teams_.steps.size(); ++i) OPBENCH_CHECK(add_step(i));
    const auto missing = std::ranges::find(place_, -1);
    if (missing != place_.end()) {
      return invalid_input(fmt::format("no worker runs step {}", missing - place_.begin()));
    }
    for (const TeamStep& step : teams_.steps) OPBENCH_CHECK(check_waits(step));
    OPBENCH_TRY(const std::vector<size_t> order, starting_order());
    return order_by_knowledge(order);
  }

 private:
  bool is_step(int step) const { return step >= 0 && step < std::ssize(place_); }

  Result<void> add_step(size_t at) {
    const TeamStep& step = teams_.steps[at];
    if (!is_step(step.step)) {
      return invalid_input(
                 fmt::format("workers run step {}, which the program does not have", step.step))
          .with("steps", fmt::format("0 to {}", std::ssize(place_) - 1));
    }
    int& place = place_[static_cast<size_t>(step.step)];
    if (place >= 0) return invalid_input(fmt::format("workers run step {} twice", step.step));
    place = static_cast<int>(at);
    if (step.workers.empty())
      return invalid_input(fmt::format("no worker runs step {}", step.step));
    std::set<int> met;
    for (const int worker : step.workers) {
      if (worker < 0 || worker >= teams_.workers) {
        return invalid_input(fmt::format("step {} names worker {}", step.step, worker))
            .with("workers", fmt::format("0 to {}", teams_.workers - 1));
      }
      if (!met.insert(worker).second) {
        return invalid_input(fmt::format("step {} names worker {} twice", step.step, worker));
      }
    }
    return {};
  }

  Result<void> check_waits(const TeamStep& step) const {
    for (const int wait : step.waits) {
      if (is_step(wait)) continue;
      return invalid_input(fmt::format("step {} waits for step {}, which the program does not have",
                                       step.step, wait));
    }
    return {};
  }

  /// Places in the list that a place starts after: of its waits, and of what each of its workers
  /// runs before.
  Links places_before() const {
    std::vector<int> last(static_cast<size_t>(teams_.workers), -1);
    Links before(teams_.steps.size());
    for (size_t i = 0; i < teams_.steps.size(); ++i) {
      for (const int wait : teams_.steps[i].waits) {
        before[i].push_back(static_cast<size_t>(place_[static_cast<size_t>(wait)]));
      }
      for (const int worker : teams_.steps[i].workers) {
        int& earlier = last[static_cast<size_t>(worker)];
        if (earlier >= 0) before[i].push_back(static_cast<size_t>(earlier));
        earlier = static_cast<int>(i);
      }
    }
    return before;
  }

  /// Places of the list in an order in which they can start.
  Result<std::vector<size_t>> starting_order() const {
    const Links before = places_before();
    Links after(before.size());
    std::vector<size_t> open(before.size()), order;
    for (size_t i = 0; i < before.size(); ++i) {
      open[i] = before[i].size();
      for (const size_t earlier : before[i]) after[earlier].push_back(i);
      if (open[i] == 0) order.push_back(i);
    }
    for (size_t at = 0; at < order.size(); ++at) {
      for (const size_t next : after[order[at]]) {
        if (--open[next] == 0) order.push_back(next);
      }
    }
    if (order.size() == before.size()) return order;
    const auto stuck = std::ranges::find_if(open, [](size_t count) { return count > 0; });
    return invalid_input(fmt::format("the waits of step {} lead in a circle: it never starts",
                                     teams_.steps[static_cast<size_t>(stuck - open.begin())].step));
  }

  StepOrder order_by_knowledge(const std::vector<size_t>& order) const {
    const size_t count = place_.size();
    std::vector<Known> ends_before(count);
    std::vector<Known> known(static_cast<size_t>(teams_.workers), Known(count));
    for (const size_t at : order) {
      const TeamStep& step = teams_.steps[at];
      Known before = known[static_cast<size_t>(step.workers.front())];
      for (const int wait : step.waits) {
        before.add_all(ends_before[static_cast<size_t>(wait)]);
        before.add(static_cast<size_t>(wait));
      }
      for (const int worker : step.workers) {
        Known& after = known[static_cast<size_t>(worker)];
        after.add_all(before);
        after.add(static_cast<size_t>(step.step));
      }
      ends_before[static_cast<size_t>(step.step)] = std::move(before);
    }
    return StepOrder(std::move(ends_before));
  }

  const TeamProgram& teams_;
  std::vector<int> place_;  ///< by step, in the list
};

}  // namespace

Result<StepOrder> order_of_teams(const TeamProgram& teams, size_t steps) {
  return TeamOrder(teams, steps).find();
}

Result<void> check_teams(const Program& program) {
  OPBENCH_TRY(const StepOrder order, order_of_teams(program.teams, program.steps.size()));
  const StepDependencies found = find_dependencies(program);
  for (size_t i = 0; i < program.steps.size(); ++i) {
    for (const int need : found.needs[i]) {
      if (order.ends_before(need, static_cast<int>(i))) continue;
      return invalid_input(fmt::format(
          "step {} may start before step {} has ended, whose result it reads", i, need));
    }
    for (const int user : found.reuses[i]) {
      if (order.ends_before(user, static_cast<int>(i))) continue;
      return invalid_input(fmt::format(
          "step {} may overwrite memory before step {} has ended, which uses it", i, user));
    }
  }
  return {};
}

}  // namespace opbench
