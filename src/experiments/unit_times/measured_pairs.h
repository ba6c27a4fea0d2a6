#pragma once

#include <string>

#include "base/errors/error.h"
#include "planning/plans/plan_file.h"
#include "planning/serve/served_model.h"
#include "planning/serve/slow_down.h"
#include "prediction/serve/group_errors.h"

namespace opbench {

/// Pairs of units that ran side by side, as groups: when each side ends follows from its measured
/// slow-down.
struct MeasuredPairs {
  std::vector<GroupSample> groups;
  double bytes_per_ms = 0;  ///< what memory gives to all; 0: not known
  double cache_bytes = 0;   ///< of the last cache; 0: not known
  size_t left_out = 0;      ///< pairs without a slow-down
};

/// From a report of `opbench interference --format json`; `what` names it. `kInvalidInput` for text
/// that is none, or has fewer than ten pairs with slow-downs.
Result<MeasuredPairs> parse_measured_pairs(const std::string& text, const std::string& what);

/// What predictors of slow-downs know of each of a model's segments, on one thread.
/// `cache_bytes`: of the last cache; 0: not known.
std::vector<GroupPart> parts_of(const ServedModel& model, const std::vector<UnitIdentity>& units,
                                double cache_bytes);

/// Slow-downs of segments by boosted trees that learn from the pairs, without pressure and
/// sensitivity, which segments have not. `parts[model][segment]`. Errors of fit_tree_slow_down.
Result<SlowDown> learnt_slow_down(const MeasuredPairs& pairs,
                                  const std::vector<std::vector<GroupPart>>& parts);

}  // namespace opbench
