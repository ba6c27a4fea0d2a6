#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/planners/weight_tasks.h"
#include "planning/simulator/simulation.h"

namespace opbench {
namespace {

constexpr const char* kStationaryName = "stationary";

/// A schedule of tasks: the one with the longest way to the end first, each on the worker where it
/// ends first.
class TaskList {
 public:
  TaskList(const TimedGraph& timed, int workers, std::vector<WeightTask> tasks)
      : timed_(timed),
        tasks_(std::move(tasks)),
        free_ms_(static_cast<size_t>(workers), 0),
        last_(static_cast<size_t>(workers), -1),
        end_ms_(timed.size(), 0),
        worker_of_(timed.size(), -1) {}

  ExecutionPlan plan() {
    ExecutionPlan plan{
        .planner = kStationaryName, .workers = static_cast<int>(free_ms_.size()), .steps = {}};
    for (const size_t task : order()) {
      const int worker = best_worker(tasks_[task]);
      run(tasks_[task], worker, true);
      for (const int unit : tasks_[task].units) {
        plan.steps.push_back({.units = {unit}, .workers = {worker}, .waits = {}});
      }
    }
    set_waits(timed_.graph, plan);
    return plan;
  }

 private:
  double unit_ms(int unit, int before) const {
    return timed_.time_ms(unit, 0) - (before < 0 ? 0 : reuse_ms(timed_, before, unit));
  }

  double task_ms(const WeightTask& task) const {
    double sum = 0;
    int before = -1;
    for (const int unit : task.units) {
      sum += unit_ms(unit, before);
      before = unit;
    }
    return sum;
  }

  /// Ready tasks by their way to the end, longest first.
  std::vector<size_t> order() const {
    std::vector<double> tails(tasks_.size(), 0);
    std::vector<std::vector<size_t>> readers(tasks_.size());
    std::vector<size_t> missing(tasks_.size(), 0);
    for (size_t i = tasks_.size(); i-- > 0;) {
      tails[i] += task_ms(tasks_[i]);
      missing[i] = tasks_[i].needs.size();
      for (const int need : tasks_[i].needs) {
        const auto before = static_cast<size_t>(need);
        tails[before] = std::max(tails[before], tails[i]);
        readers[before].push_back(i);
      }
    }
    const auto comes_later = [&](size_t a, size_t b) {
      return tails[a] != tails[b] ? tails[a] < tails[b] : a > b;
    };
    std::priority_queue<size_t, std::vector<size_t>, decltype(comes_later)> ready(comes_later);
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (missing[i] == 0) ready.push(i);
    }
    std::vector<size_t> order;
    while (!ready.empty()) {
      order.push_back(ready.top());
      ready.pop();
      for (const size_t reader : readers[order.back()]) {
        if (--missing[reader] == 0) ready.push(reader);
      }
    }
    return order;
  }

  /// When the task ends on the worker; `is_kept`: it runs there.
  double run(const WeightTask& task, int worker, bool is_kept) {
    const auto at = static_cast<size_t>(worker);
    double now = free_ms_[at];
    int before = last_[at];
    std::vector<std::pair<int, double>> ends;
    for (const int unit : task.units) {
      double transfers = 0;
      const std::vector<UnitNeed>& needs = timed_.unit(unit).needs;
      for (size_t i = 0; i < needs.size(); ++i) {
        const auto maker = static_cast<size_t>(needs[i].unit);
        const bool is_of_this_task = worker_of_[maker] < 0;
        if (is_of_this_task || worker_of_[maker] == worker) continue;
        now = std::max(now, end_ms_[maker] + timed_.cost(unit, i).handoff_ms);
        transfers += timed_.cost(unit, i).transfer_ms;
      }
      now += unit_ms(unit, before) + transfers;
      before = unit;
      if (is_kept) ends.emplace_back(unit, now);
    }
    if (!is_kept) return now;
    for (const auto& [unit, end] : ends) {
      end_ms_[static_cast<size_t>(unit)] = end;
      worker_of_[static_cast<size_t>(unit)] = worker;
    }
    free_ms_[at] = now;
    last_[at] = before;
    return now;
  }

  int best_worker(const WeightTask& task) {
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int worker = 0; worker < std::ssize(free_ms_); ++worker) {
      const double end = run(task, worker, false);
      if (end >= least) continue;
      least = end;
      best = worker;
    }
    return best;
  }

  const TimedGraph& timed_;
  std::vector<WeightTask> tasks_;
  std::vector<double> free_ms_;  ///< by worker
  std::vector<int> last_;        ///< the unit that a worker ran last; -1: none
  std::vector<double> end_ms_;   ///< by unit
  std::vector<int> worker_of_;   ///< by unit; -1: not placed
};

ExecutionPlan stationary_plan(const TimedGraph& timed, const PlannerOptions& options) {
  constexpr int kBlocks[] = {4, 8, 16, 32, std::numeric_limits<int>::max()};
  ExecutionPlan best = sequential_plan(timed, options.workers);
  best.planner = kStationaryName;
  if (!reuses_weights(timed.graph)) return best;
  double least = simulated_ms(timed, best);
  for (const int block : kBlocks) {
    ExecutionPlan one = TaskList(timed, options.workers, weight_tasks(timed.graph, block)).plan();
    const double makespan = simulated_ms(timed, one);
    if (makespan >= least) continue;
    least = makespan;
    best = std::move(one);
  }
  return best;
}

}  // namespace

PlannerDef stationary_planner() {
  return {.name = kStationaryName,
          .summary = "units that read the same weights one after the other, on one worker each",
          .plan = stationary_plan};
}

}  // namespace opbench
