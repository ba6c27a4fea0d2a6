#pragma once

#include <cstddef>
#include <vector>

#include "base/errors/error.h"
#include "planning/graphs/unit_graph.h"

/// What planners read: a unit graph, and beside it the times of units on teams of workers and the
/// costs of edges.
namespace opbench {

/// What teams take for one unit.
struct UnitTimes {
  std::vector<double> times_ms;  ///< for each size in TeamTimes::teams
  double spread = 0;             ///< relative standard error of these times
  double reuse_ms = 0;  ///< how much less one worker takes right after a unit of the same weights
  bool operator==(const UnitTimes&) const = default;
};

/// Convolutions of one input that one kernel may compute together.
struct MergedUnits {
  std::vector<int> units;        ///< ascending, at least two
  std::vector<double> times_ms;  ///< of the merged kernel, for each size in TeamTimes::teams
  bool operator==(const MergedUnits&) const = default;
};

/// What teams of workers take.
struct TeamTimes {
  std::vector<int> teams = {1};  ///< sizes of teams that have times, ascending
  std::vector<UnitTimes> units;  ///< one a unit of the graph
  std::vector<MergedUnits> merges = {};
  bool operator==(const TeamTimes&) const = default;
};

/// What it costs workers to read what others made.
struct EdgeCost {
  double handoff_ms = 0;   ///< until the reader can start, if workers read that did not make it
  double transfer_ms = 0;  ///< extra time of a single reader if another worker made the value
  bool operator==(const EdgeCost&) const = default;
};

/// By unit, in the order of its needs.
using EdgeCosts = std::vector<std::vector<EdgeCost>>;

struct TimedGraph {
  UnitGraph graph;
  TeamTimes times;
  EdgeCosts costs;
  bool operator==(const TimedGraph&) const = default;

  /// Appends a unit with its row of both tables. Without `edge_costs` its edges are free.
  void add(GraphUnit unit, UnitTimes unit_times, std::vector<EdgeCost> edge_costs = {});

  size_t size() const { return graph.size(); }
  const GraphUnit& unit(int number) const { return graph.unit(number); }
  const UnitTimes& times_of(int unit) const { return times.units[static_cast<size_t>(unit)]; }
  double time_ms(int unit, size_t team) const { return times_of(unit).times_ms[team]; }
  /// Of the unit's need at this place among its needs.
  const EdgeCost& cost(int unit, size_t need) const {
    return costs[static_cast<size_t>(unit)][need];
  }
};

/// `kInvalidInput` that names the unit: what check_graph refuses, times that are missing, not above
/// 0 or not finite; a reuse that saves more than the unit takes; costs of edges that are missing,
/// below 0 or not finite; team sizes that do not begin with 1 and ascend; merged units that are no
/// units, need each other or have no times.
Result<void> check_timed(const TimedGraph& timed);

/// How much less one worker takes for the unit because it has just run `before`: the unit's
/// reuse_ms if both read the same weights, else 0.
double reuse_ms(const TimedGraph& timed, int before, int unit);

/// How many of the table's team sizes fit `workers`; at least 1.
size_t teams_within(const TimedGraph& timed, int workers);

/// The index of the team that computes the unit fastest; of equals the smallest.
size_t fastest_team(const TimedGraph& timed, int unit, int workers);
double fastest_ms(const TimedGraph& timed, int unit, int workers);

/// The least time of workers that a unit takes: the minimum of size × time over teams.
double least_area_ms(const TimedGraph& timed, int unit, int workers);

/// For every unit the longest path of fastest times from its start to the end of the graph.
std::vector<double> tails_of(const TimedGraph& timed, int workers);

/// These units (ascending), numbered from 0, without needs and merges that lead outside.
TimedGraph subgraph_of(const TimedGraph& timed, const std::vector<int>& units);

}  // namespace opbench
