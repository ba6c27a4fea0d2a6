#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planning/plans/execution_plan.h"
#include "planning/simulator/simulation.h"

namespace opbench {

/// The makespan of the sequential plan over that of another, in simulations.
struct PredictedSpeedup {
  double ratio = 1;  ///< with the times as they are
  double low = 1;    ///< 2.5 % quantile over times drawn within their spread
  double high = 1;   ///< 97.5 %
};

struct SelectionOptions {
  double least_gain = 0.03;  ///< of a plan that takes the place of sequential
  int draws = 200;           ///< fewer for graphs of thousands of units, whose sums vary less
  uint64_t seed = 0;
  SimulationOptions simulation = {};  ///< what units lose beside each other; default: nothing
};

struct PlanSelection {
  size_t chosen = 0;
  /// Plans that may take the place of sequential, the fastest first; of plans of equal steps the
  /// earliest alone. The first is the chosen one; none: sequential stays.
  std::vector<size_t> promising;
  std::vector<PredictedSpeedup> speedups;  ///< of the plans, in their order
  std::string reason;
};

/// Chooses the fastest plan by simulation; the first, which is sequential, stays unless the gain is
/// above `least_gain` and its interval excludes 0. The interval is over draws of all times,
/// log-normal with the units' spread, the same for both plans. Of plans that are equally fast the
/// earlier. All plans have passed check_plan.
PlanSelection select_plan(const TimedGraph& timed, const std::vector<ExecutionPlan>& plans,
                          const SelectionOptions& options = {});

}  // namespace opbench
