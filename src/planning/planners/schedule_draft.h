#pragma once

#include <string>
#include <vector>

#include "planning/plans/execution_plan.h"

namespace opbench {

/// Where and when a step can run.
struct Spot {
  std::vector<int> workers;
  double start_ms = 0;
  double end_ms = 0;
};

/// A schedule in the making: steps are placed one after the other, each as early as its needs and
/// the workers' earlier steps allow.
class ScheduleDraft {
 public:
  ScheduleDraft(const TimedGraph& timed, int workers);

  /// When all that the unit needs has ended, without hand-offs. All of it has been placed.
  double ready_ms(int unit) const;
  double free_ms(int worker) const { return free_ms_[static_cast<size_t>(worker)]; }
  double makespan_ms() const;

  /// The unit by the team with this index in the graph's sizes: on those workers that are free
  /// first (of equals the smaller number); one worker alone is that where the unit ends first, as
  /// its data may lie there.
  Spot spot(int unit, size_t team) const;
  /// The same on workers of the caller's choice; there is a time for as many.
  Spot spot_on(int unit, std::vector<int> workers) const;

  void place(int unit, const Spot& spot);
  /// A kernel of several units that are ready together.
  void place_merged(const MergedUnits& merge, size_t team);

  /// What was placed, with waits.
  ExecutionPlan plan(const std::string& planner) const;

 private:
  std::vector<int> by_free_time() const;
  std::vector<int> first_free(size_t count) const;
  double start_ms(int unit, const std::vector<int>& workers) const;
  double transfers_ms(int unit, const std::vector<int>& workers) const;
  void add(PlanStep step, double end_ms);

  const TimedGraph& timed_;
  std::vector<double> free_ms_;  ///< by worker
  std::vector<double> end_ms_;   ///< by unit
  std::vector<int> step_of_;     ///< by unit; -1: not placed
  std::vector<PlanStep> steps_;
};

}  // namespace opbench
