#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/numbers/bit_set.h"

namespace opbench {

/// An edge: a unit whose result another unit reads.
struct UnitNeed {
  int unit = 0;
  std::optional<int64_t> bytes = {};  ///< that the reader reads; nothing: not known
  bool operator==(const UnitNeed&) const = default;
};

/// One kernel call of a model.
struct GraphUnit {
  std::string name;  ///< of the value that it makes
  std::string kind;  ///< its operators: conv2d+relu
  std::vector<UnitNeed> needs;
  int weights = kNoWeights;  ///< equal for units that read the same weights
  static constexpr int kNoWeights = -1;
  bool operator==(const GraphUnit&) const = default;
};

/// The units of a model and what they need. Planners, placement and serving read it. Times and
/// costs of edges stand beside it in tables: TimedGraph for teams of workers, PlacementProblem for
/// devices. A unit needs only units of smaller numbers; the order of the numbers is sequential.
struct UnitGraph {
  std::vector<GraphUnit> units;
  bool operator==(const UnitGraph&) const = default;

  size_t size() const { return units.size(); }
  const GraphUnit& unit(int number) const { return units[static_cast<size_t>(number)]; }
};

/// A unit as errors name it: `unit 3 "conv1"`.
std::string quoted_unit(const UnitGraph& graph, size_t unit);

/// `kInvalidInput` that names the unit: a need that is not smaller, stands twice or carries fewer
/// than 0 bytes.
Result<void> check_unit(const UnitGraph& graph, size_t unit);

/// check_unit for every unit.
Result<void> check_graph(const UnitGraph& graph);

/// For every unit those that need it, ascending.
std::vector<std::vector<int>> successors_of(const UnitGraph& graph);

/// For every unit the units that it needs, directly or through others: [unit][other].
std::vector<BitSet> ancestors_of(const UnitGraph& graph);

/// Cuts the sequence of units wherever every later unit depends on every earlier one. Plans of the
/// pieces, one after the other, lose nothing.
std::vector<std::vector<int>> pieces_of(const UnitGraph& graph);

}  // namespace opbench
