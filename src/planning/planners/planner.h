#pragma once

#include <string>

#include "base/tables/table.h"
#include "planning/plans/execution_plan.h"

/// Which workers run which unit, and when. A planner is one file,
/// `src/planning/planners/<x>_planner.cpp`, that defines `PlannerDef <x>_planner()`; nothing else
/// is edited.
namespace opbench {

struct PlannerOptions {
  int workers = 2;
  int beam_width = 64;  ///< states that a beam search keeps
  int most_probes = 8;  ///< times that `threads` looks up for a kind of unit
};

struct PlannerDef {
  std::string name;  ///< list: what `--planner` takes
  std::string summary;
  /// A plan whose waits are set. A pure function: equal inputs give equal plans, ties go to the
  /// smaller number of a unit. The graph passes check_timed.
  ExecutionPlan (*plan)(const TimedGraph& timed, const PlannerOptions& options) = nullptr;
};

/// Every planner, from the files `<x>_planner.cpp`.
const Table<PlannerDef>& planner_table();

/// The planner that others are compared with: one unit after the other, each by all workers.
inline constexpr const char* kSequentialPlanner = "sequential";

/// The planner that puts every unit on one worker and others beside it.
inline constexpr const char* kStreamPlanner = "stream";

}  // namespace opbench
