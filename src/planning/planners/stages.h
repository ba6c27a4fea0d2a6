#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planning/graphs/timed_graph.h"
#include "planning/planners/schedule_draft.h"

/// Stages as in IOS (Ding and others, MLSys 2021): the units of a stage fall into groups that do
/// not depend on each other and run side by side; a stage begins when the one before it has ended.
namespace opbench {

/// Units of a graph of at most 64, one bit each.
using UnitMask = uint64_t;
inline constexpr size_t kMostMaskedUnits = 64;

/// Units that depend on each other, in order, on workers of their own.
struct StageGroup {
  std::vector<int> units;
  int workers = 1;
  bool operator==(const StageGroup&) const = default;
};

/// How a set of units runs as one stage.
struct Stage {
  std::vector<int> units;
  std::vector<StageGroup> groups;  ///< empty for a merged kernel
  int merge = -1;                  ///< the index in TeamTimes::merges, if it is one kernel
  double cost_ms = 0;
};

/// The cheaper of both ways to run the units: as groups side by side, or merged where the graph
/// offers that. Groups are what edges connect. One group alone has all workers. As many groups as
/// workers at most: each gets the workers that make the slowest group fastest. More groups: one
/// worker each, the longest first to the worker that is free first.
Stage best_stage(const TimedGraph& timed, int workers, UnitMask units);

/// Where the search is cut short; 0: not at all.
struct StageLimits {
  int most_units = 0;           ///< of a group (IOS: r)
  int most_groups = 0;          ///< of a stage (IOS: s)
  size_t most_transitions = 0;  ///< steps of the recursion; beyond them there is no result
};

struct StagePartition {
  std::vector<Stage> stages;
  double cost_ms = 0;
};

/// The cheapest sequence of stages, by dynamic programming over the sets of units that are left
/// (IOS: endings, the sets that nothing left needs). Nothing beyond the limit of transitions, for
/// more than kMostMaskedUnits, or where no stage keeps to the limits.
std::optional<StagePartition> best_stages(const TimedGraph& timed, int workers,
                                          const StageLimits& limits);

/// Puts the stage's units behind what the draft holds.
void place_stage(const TimedGraph& timed, const Stage& stage, int workers, ScheduleDraft& draft);

}  // namespace opbench
