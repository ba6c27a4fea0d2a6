#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "planning/graphs/slowed_graph.h"

namespace opbench {

/// How much units slow each other down on one thread each, side by side.
struct UnitSlowdowns {
  std::string target;  ///< display form
  /// By the canonical workloads of a unit and of the one beside it; at least 1.
  std::map<std::pair<std::string, std::string>, double> ratios;
  double typical = 1;   ///< median of the ratios: counts where a pair is not among them
  size_t measured = 0;  ///< ratios that were measured; the others are forecasts
};

/// From a report of `opbench interference --format json`; `what` names it. A pair that was measured
/// counts as measured, one that was not as its forecast by curve. `kInvalidInput` for text that is
/// no such report, or holds no pair.
Result<UnitSlowdowns> parse_unit_slowdowns(const std::string& text, const std::string& what);

/// The same for the units of a model, by their workloads in their order.
PairSlowdown slowdown_between(const UnitSlowdowns& slowdowns,
                              const std::vector<std::string>& workloads);

/// How many of these units the ratios name.
size_t known_units(const UnitSlowdowns& slowdowns, const std::vector<std::string>& workloads);

}  // namespace opbench
