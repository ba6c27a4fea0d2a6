#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/numbers/bit_set.h"

namespace opbench {

/// A unit whose result another unit reads.
struct UnitNeed {
  int unit = 0;
  double handoff_ms = 0;   ///< until the reader can start, if workers read that did not make it
  double transfer_ms = 0;  ///< extra time of a single reader if another worker made the value
  std::optional<int64_t> bytes = {};  ///< that the reader reads; nothing: not known
  bool operator==(const UnitNeed&) const = default;
};

/// One kernel call of a model, with its row of the time table.
struct TimedUnit {
  std::string name;
  std::string kind;  ///< its operators: conv2d+relu
  std::vector<UnitNeed> needs;
  std::vector<double> times_ms;  ///< for each size in TimedGraph::teams
  double spread = 0;             ///< relative standard error of these times
  int weights = kNoWeights;      ///< equal for units that read the same weights
  double reuse_ms = 0;  ///< how much less one worker takes right after a unit of the same weights
  static constexpr int kNoWeights = -1;
  bool operator==(const TimedUnit&) const = default;
};

/// Convolutions of one input that one kernel may compute together.
struct MergedUnits {
  std::vector<int> units;        ///< ascending, at least two
  std::vector<double> times_ms;  ///< of the merged kernel, for each size in TimedGraph::teams
  bool operator==(const MergedUnits&) const = default;
};

/// What planners read: the units of a model, what they need, and how long teams of workers take for
/// them. A unit needs only units of smaller numbers; the order of the numbers is sequential.
struct TimedGraph {
  std::vector<int> teams = {1};  ///< sizes of teams that have times, ascending
  std::vector<TimedUnit> units;
  std::vector<MergedUnits> merges = {};
  bool operator==(const TimedGraph&) const = default;

  size_t size() const { return units.size(); }
  const TimedUnit& unit(int number) const { return units[static_cast<size_t>(number)]; }
  double time_ms(int number, size_t team) const { return unit(number).times_ms[team]; }
};

/// `kInvalidInput` that names the unit: a need that is not smaller or stands twice, times that are
/// missing, not above 0 or not finite; a reuse that saves more than the unit takes; team sizes that
/// do not begin with 1 and ascend; merged units that are no units, need each other or have no
/// times.
Result<void> check_graph(const TimedGraph& graph);

/// For every unit those that need it, ascending.
std::vector<std::vector<int>> successors_of(const TimedGraph& graph);

/// How much less one worker takes for the unit because it has just run `before`: the unit's
/// reuse_ms if both read the same weights, else 0.
double reuse_ms(const TimedGraph& graph, int before, int unit);

/// How many of the graph's team sizes fit `workers`; at least 1.
size_t teams_within(const TimedGraph& graph, int workers);

/// The index of the team that computes the unit fastest; of equals the smallest.
size_t fastest_team(const TimedGraph& graph, int unit, int workers);
double fastest_ms(const TimedGraph& graph, int unit, int workers);

/// The least time of workers that a unit takes: the minimum of size × time over teams.
double least_area_ms(const TimedGraph& graph, int unit, int workers);

/// For every unit the longest path of fastest times from its start to the end of the graph.
std::vector<double> tails_of(const TimedGraph& graph, int workers);

/// For every unit the units that it needs, directly or through others: [unit][other].
std::vector<BitSet> ancestors_of(const TimedGraph& graph);

/// These units (ascending), numbered from 0, without needs and merges that lead outside.
TimedGraph subgraph_of(const TimedGraph& graph, const std::vector<int>& units);

/// Cuts the sequence of units wherever every later unit depends on every earlier one. Plans of the
/// pieces, one after the other, lose nothing.
std::vector<std::vector<int>> pieces_of(const TimedGraph& graph);

}  // namespace opbench
