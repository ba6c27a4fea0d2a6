#include "planning/planners/schedule_draft.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace opbench {

ScheduleDraft::ScheduleDraft(const TimedGraph& timed, int workers)
    : timed_(timed),
      free_ms_(static_cast<size_t>(workers), 0),
      end_ms_(timed.size(), 0),
      step_of_(timed.size(), -1) {}

double ScheduleDraft::ready_ms(int unit) const {
  double ready = 0;
  for (const UnitNeed& need : timed_.unit(unit).needs) {
    ready = std::max(ready, end_ms_[static_cast<size_t>(need.unit)]);
  }
  return ready;
}

double ScheduleDraft::makespan_ms() const { return *std::ranges::max_element(free_ms_); }

std::vector<int> ScheduleDraft::by_free_time() const {
  std::vector<int> workers(free_ms_.size());
  std::iota(workers.begin(), workers.end(), 0);
  std::ranges::stable_sort(workers, {}, [&](int worker) { return free_ms(worker); });
  return workers;
}

std::vector<int> ScheduleDraft::first_free(size_t count) const {
  std::vector<int> workers = by_free_time();
  workers.resize(count);
  std::ranges::sort(workers);
  return workers;
}

double ScheduleDraft::start_ms(int unit, const std::vector<int>& workers) const {
  double start = 0;
  for (const int worker : workers) start = std::max(start, free_ms(worker));
  const std::vector<UnitNeed>& needs = timed_.unit(unit).needs;
  for (size_t i = 0; i < needs.size(); ++i) {
    const auto maker = static_cast<size_t>(needs[i].unit);
    const auto& makers = steps_[static_cast<size_t>(step_of_[maker])].workers;
    const bool is_own = std::ranges::includes(makers, workers);
    start = std::max(start, end_ms_[maker] + (is_own ? 0 : timed_.cost(unit, i).handoff_ms));
  }
  return start;
}

double ScheduleDraft::transfers_ms(int unit, const std::vector<int>& workers) const {
  double sum = 0;
  const std::vector<UnitNeed>& needs = timed_.unit(unit).needs;
  for (size_t i = 0; i < needs.size(); ++i) {
    const auto maker = static_cast<size_t>(step_of_[static_cast<size_t>(needs[i].unit)]);
    sum += transfer_ms(timed_.cost(unit, i), steps_[maker].workers, workers);
  }
  return sum;
}

Spot ScheduleDraft::spot(int unit, size_t team) const {
  if (timed_.times.teams[team] > 1) {
    return spot_on(unit, first_free(static_cast<size_t>(timed_.times.teams[team])));
  }
  Spot earliest;
  for (const int worker : by_free_time()) {
    Spot one = spot_on(unit, {worker});
    if (earliest.workers.empty() || one.end_ms < earliest.end_ms) earliest = std::move(one);
  }
  return earliest;
}

Spot ScheduleDraft::spot_on(int unit, std::vector<int> workers) const {
  const double start = start_ms(unit, workers);
  const auto team = std::ranges::find(timed_.times.teams, static_cast<int>(workers.size()));
  const auto at = static_cast<size_t>(team - timed_.times.teams.begin());
  const double end = start + timed_.time_ms(unit, at) + transfers_ms(unit, workers);
  return {std::move(workers), start, end};
}

void ScheduleDraft::add(PlanStep step, double end_ms) {
  for (const int worker : step.workers) free_ms_[static_cast<size_t>(worker)] = end_ms;
  for (const int unit : step.units) {
    end_ms_[static_cast<size_t>(unit)] = end_ms;
    step_of_[static_cast<size_t>(unit)] = static_cast<int>(steps_.size());
  }
  steps_.push_back(std::move(step));
}

void ScheduleDraft::place(int unit, const Spot& spot) {
  add({.units = {unit}, .workers = spot.workers, .waits = {}}, spot.end_ms);
}

void ScheduleDraft::place_merged(const MergedUnits& merge, size_t team) {
  std::vector<int> workers = first_free(static_cast<size_t>(timed_.times.teams[team]));
  double start = 0, transfers = 0;
  for (const int unit : merge.units) {
    start = std::max(start, start_ms(unit, workers));
    transfers += transfers_ms(unit, workers);
  }
  add({.units = merge.units, .workers = std::move(workers), .waits = {}},
      start + merge.times_ms[team] + transfers);
}

ExecutionPlan ScheduleDraft::plan(const std::string& planner) const {
  ExecutionPlan plan{
      .planner = planner, .workers = static_cast<int>(free_ms_.size()), .steps = steps_};
  set_waits(timed_.graph, plan);
  return plan;
}

}  // namespace opbench
