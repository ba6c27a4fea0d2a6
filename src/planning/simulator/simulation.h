#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "planning/plans/execution_plan.h"

namespace opbench {

/// When a step ran, in a simulation.
struct TimelineSpan {
  size_t step = 0;
  double start_ms = 0;
  double end_ms = 0;
  bool operator==(const TimelineSpan&) const = default;
};

/// Simulated times of one run of a plan; never measured ones.
struct Timeline {
  double makespan_ms = 0;
  std::vector<TimelineSpan> spans;  ///< one a step, in the plan's order
  bool operator==(const Timeline&) const = default;
};

struct SimulationOptions {
  /// By what factor, at least 1, a unit takes longer while the others run. Empty: by none.
  std::function<double(int unit, const std::vector<int>& others)> slowdown = {};
};

/// Simulates the plan on its workers. A step starts when its whole team is there, its waits have
/// ended, and what other workers made has been handed over. Transfers make it longer (transfer_ms),
/// reused weights make it shorter (reuse_ms). Between events, work goes on at the rate that the
/// slow-down leaves. `kInvalidInput` when steps wait for each other, and for steps without times
/// (step_ms). For a plan from outside, check_plan gives better messages.
Result<Timeline> simulate(const TimedGraph& timed, const ExecutionPlan& plan,
                          const SimulationOptions& options = {});

/// The makespan of the simulation; infinity for a plan that cannot run.
double simulated_ms(const TimedGraph& timed, const ExecutionPlan& plan,
                    const SimulationOptions& options = {});

/// The share of all workers' time that kernels take: 1 when nobody ever waits.
double utilisation(const ExecutionPlan& plan, const Timeline& timeline);

/// `kInvalidInput` when a worker runs two steps at once or more workers run than there are.
Result<void> check_timeline(const ExecutionPlan& plan, const Timeline& timeline);

}  // namespace opbench
