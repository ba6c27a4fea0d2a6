#include "planning/simulator/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace opbench {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// A step on its way.
struct Running {
  size_t step = 0;
  double left_ms = 0;  ///< of its time alone
  double rate = 1;     ///< 1 alone, less beside others
};

class Simulation {
 public:
  Simulation(const TimedGraph& timed, const ExecutionPlan& plan, const SimulationOptions& options)
      : timed_(timed), plan_(plan), options_(options) {}

  Result<Timeline> run() {
    OPBENCH_CHECK(prepare());
    while (ended_ < plan_.steps.size()) {
      start_what_can();
      const double next = next_event();
      if (next == kNever) return stuck();
      advance(next);
    }
    return std::move(timeline_);
  }

 private:
  Result<void> prepare() {
    programs_.resize(static_cast<size_t>(plan_.workers));
    at_.resize(programs_.size(), 0);
    end_of_unit_.resize(timed_.size(), kNever);
    step_of_unit_ = steps_of_units(timed_.graph, plan_);
    for (size_t i = 0; i < plan_.steps.size(); ++i) {
      OPBENCH_TRY(const double time, step_ms(timed_, plan_.steps[i]));
      const auto& leaders = programs_[static_cast<size_t>(plan_.steps[i].workers.front())];
      const double reuse =
          leaders.empty() ? 0 : reuse_ms(timed_, plan_.steps[leaders.back()], plan_.steps[i]);
      times_.push_back(time - reuse);
      timeline_.spans.push_back({i, kNever, kNever});
      for (const int worker : plan_.steps[i].workers) {
        programs_[static_cast<size_t>(worker)].push_back(i);
      }
    }
    return {};
  }

  bool has_come(int worker, size_t step) const {
    const auto& program = programs_[static_cast<size_t>(worker)];
    const size_t at = at_[static_cast<size_t>(worker)];
    return at < program.size() && program[at] == step;
  }

  /// When what the step reads is there, as far as its makers have ended.
  double ready_ms(const PlanStep& step) const {
    double ready = 0;
    for (const int unit : step.waits) {
      ready = std::max(ready, end_of_unit_[static_cast<size_t>(unit)]);
    }
    for (const int unit : step.units) {
      const std::vector<UnitNeed>& needs = timed_.unit(unit).needs;
      for (size_t i = 0; i < needs.size(); ++i) {
        const double end = end_of_unit_[static_cast<size_t>(needs[i].unit)];
        const bool is_own = made_by_all(step, needs[i].unit);
        ready = std::max(ready, end + (is_own ? 0 : timed_.cost(unit, i).handoff_ms));
      }
    }
    return ready;
  }

  /// Those that made the value, or who reads it where no step makes it.
  const std::vector<int>& makers_of(const PlanStep& reader, int unit) const {
    const int maker = step_of_unit_[static_cast<size_t>(unit)];
    return maker < 0 ? reader.workers : plan_.steps[static_cast<size_t>(maker)].workers;
  }

  bool made_by_all(const PlanStep& reader, int unit) const {
    const auto& makers = makers_of(reader, unit);
    return std::ranges::all_of(reader.workers, [&](int worker) {
      return std::ranges::find(makers, worker) != makers.end();
    });
  }

  double transfers_ms(const PlanStep& step) const {
    double sum = 0;
    for (const int unit : step.units) {
      const std::vector<UnitNeed>& needs = timed_.unit(unit).needs;
      for (size_t i = 0; i < needs.size(); ++i) {
        sum += transfer_ms(timed_.cost(unit, i), makers_of(step, needs[i].unit), step.workers);
      }
    }
    return sum;
  }

  void start_what_can() {
    bool starts_one = false;
    waiting_until_ = kNever;
    for (size_t worker = 0; worker < programs_.size(); ++worker) {
      if (at_[worker] >= programs_[worker].size()) continue;
      const size_t step = programs_[worker][at_[worker]];
      const PlanStep& planned = plan_.steps[step];
      if (timeline_.spans[step].start_ms != kNever || planned.workers.front() != int(worker)) {
        continue;
      }
      const bool is_together =
          std::ranges::all_of(planned.workers, [&](int member) { return has_come(member, step); });
      if (!is_together) continue;
      const double ready = ready_ms(planned);
      if (ready > now_) {
        waiting_until_ = std::min(waiting_until_, ready);
        continue;
      }
      timeline_.spans[step].start_ms = now_;
      running_.push_back({step, times_[step] + transfers_ms(planned), 1});
      starts_one = true;
    }
    if (starts_one) set_rates();
  }

  void set_rates() {
    if (!options_.slowdown) return;
    for (Running& one : running_) {
      std::vector<int> others;
      for (const Running& other : running_) {
        const auto& units = plan_.steps[other.step].units;
        if (other.step != one.step) others.insert(others.end(), units.begin(), units.end());
      }
      const int unit = plan_.steps[one.step].units.front();
      one.rate = others.empty() ? 1 : 1 / std::max(1.0, options_.slowdown(unit, others));
    }
  }

  double next_event() const {
    double next = waiting_until_;
    for (const Running& one : running_) next = std::min(next, now_ + one.left_ms / one.rate);
    return next;
  }

  void advance(double next) {
    std::vector<Running> still;
    for (Running& one : running_) {
      const bool ends = now_ + one.left_ms / one.rate <= next;
      one.left_ms -= (next - now_) * one.rate;
      if (!ends) {
        still.push_back(one);
        continue;
      }
      timeline_.spans[one.step].end_ms = next;
      timeline_.makespan_ms = std::max(timeline_.makespan_ms, next);
      ++ended_;
      for (const int unit : plan_.steps[one.step].units) {
        end_of_unit_[static_cast<size_t>(unit)] = next;
      }
      for (const int worker : plan_.steps[one.step].workers) ++at_[static_cast<size_t>(worker)];
    }
    const bool has_ended = still.size() < running_.size();
    running_ = std::move(still);
    now_ = next;
    if (has_ended) set_rates();
  }

  Error stuck() const {
    size_t step = 0;
    while (timeline_.spans[step].end_ms != kNever) ++step;
    return {ErrorCode::kInvalidInput,
            fmt::format("the plan stands still after {} of {} steps: step {} never starts", ended_,
                        plan_.steps.size(), step)};
  }

  const TimedGraph& timed_;
  const ExecutionPlan& plan_;
  const SimulationOptions& options_;
  std::vector<std::vector<size_t>> programs_;  ///< steps by worker
  std::vector<size_t> at_;
  std::vector<double> times_, end_of_unit_;
  std::vector<int> step_of_unit_;
  std::vector<Running> running_;
  Timeline timeline_;
  double now_ = 0, waiting_until_ = kNever;
  size_t ended_ = 0;
};

}  // namespace

Result<Timeline> simulate(const TimedGraph& timed, const ExecutionPlan& plan,
                          const SimulationOptions& options) {
  return Simulation(timed, plan, options).run();
}

double simulated_ms(const TimedGraph& timed, const ExecutionPlan& plan,
                    const SimulationOptions& options) {
  const Result<Timeline> timeline = simulate(timed, plan, options);
  return timeline ? timeline->makespan_ms : kNever;
}

double utilisation(const ExecutionPlan& plan, const Timeline& timeline) {
  double busy = 0;
  for (const TimelineSpan& span : timeline.spans) {
    busy +=
        (span.end_ms - span.start_ms) * static_cast<double>(plan.steps[span.step].workers.size());
  }
  const double all = timeline.makespan_ms * plan.workers;
  return all > 0 ? busy / all : 1;
}

Result<void> check_timeline(const ExecutionPlan& plan, const Timeline& timeline) {
  std::vector<std::pair<double, int>> changes;  // of the number of workers that run
  std::vector<double> free_at(static_cast<size_t>(plan.workers), 0);
  std::vector<TimelineSpan> spans = timeline.spans;
  std::ranges::stable_sort(spans, {}, &TimelineSpan::start_ms);
  for (const TimelineSpan& span : spans) {
    for (const int worker : plan.steps[span.step].workers) {
      double& free = free_at[static_cast<size_t>(worker)];
      if (span.start_ms < free) {
        return Error{ErrorCode::kInvalidInput,
                     fmt::format("worker {} runs two steps at once", worker)};
      }
      free = span.end_ms;
    }
    const int size = static_cast<int>(plan.steps[span.step].workers.size());
    changes.emplace_back(span.start_ms, size);
    changes.emplace_back(span.end_ms, -size);
  }
  std::ranges::sort(changes);  // of equal times those that end first
  int running = 0;
  for (const auto& [time, change] : changes) {
    running += change;
    if (running <= plan.workers) continue;
    return Error{ErrorCode::kInvalidInput, fmt::format("{} workers run at {} ms", running, time)};
  }
  return {};
}

}  // namespace opbench
