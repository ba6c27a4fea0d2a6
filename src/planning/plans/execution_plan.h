#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "planning/graphs/timed_graph.h"

namespace opbench {

/// One kernel call by a team of workers.
struct PlanStep {
  std::vector<int> units;    ///< one; several are convolutions merged into one kernel
  std::vector<int> workers;  ///< the first leads; the others help, and may come late
  std::vector<int> waits;    ///< units that must have ended before the leader starts
  bool operator==(const PlanStep&) const = default;
};

/// A static program for each worker: a worker runs the steps that name it, in their order here.
struct ExecutionPlan {
  std::string planner;
  int workers = 1;
  std::vector<PlanStep> steps;
  bool operator==(const ExecutionPlan&) const = default;
};

/// The time of a step: that of its unit, or of the merged kernel, for a team of the step's size.
/// `kInvalidInput` for a merge that the graph does not offer, and for a team size without times.
Result<double> step_ms(const TimedGraph& timed, const PlanStep& step);

/// How much longer `readers` take for a unit because `makers` made a value that it needs. Each
/// maker has an equal part of it in its caches, and each reader reads an equal part. The slowest
/// reader counts: one that made no part of the value, if there is one. Nothing where both teams are
/// the same: the unit's time, measured with every unit on such a team, includes it.
double transfer_ms(const EdgeCost& cost, const std::vector<int>& makers,
                   const std::vector<int>& readers);

/// How much less the step takes because its leader has just run `before`: what reuse_ms says of
/// their units (timed_graph.h) if each step has one unit and both have the same single worker, else
/// 0.
double reuse_ms(const TimedGraph& timed, const PlanStep& before, const PlanStep& step);

/// Fills `waits`: what a step's units need, without units in whose steps the leader took part
/// before, as it has seen their end.
void set_waits(const UnitGraph& graph, ExecutionPlan& plan);

/// For every unit the index of its step; -1 where no step has it.
std::vector<int> steps_of_units(const UnitGraph& graph, const ExecutionPlan& plan);

/// The plan of pieces one after the other: `units` are the numbers that the part's units have in
/// the whole graph. Waits are not set.
void append_part(ExecutionPlan& whole, const ExecutionPlan& part, const std::vector<int>& units);

}  // namespace opbench
