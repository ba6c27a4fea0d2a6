#pragma once

#include <cstdint>
#include <vector>

#include "base/errors/error.h"
#include "experiments/interference/corun_item.h"
#include "prediction/interference/interference_result.h"

namespace opbench {

/// Slow-downs, solo times and counts of one item.
MeasuredCorun measured_corun(const CorunItem& item, uint64_t seed);

/// Puts what the items brought into the result, whose units and levels are known, and judges the
/// forecasts of all pairs that were measured. `items` in the order of corun_items().
void judge_coruns(const std::vector<CorunItem>& items, uint64_t seed, InterferenceResult& result);

/// What was measured of a unit beside the neighbour; nothing where that is too little for a curve:
/// not beside the probe, or at fewer than two levels.
std::optional<UnitPressure> pressure_of_unit(size_t unit, const InterferenceResult& result);

/// Where not one round was kept, the error that says so: `kPartial` where co-runs failed,
/// `kTimeBudget` where the budget ended before the first, else `kEnvironment` with the causes.
Result<void> refuse_nothing(const InterferenceResult& result);

}  // namespace opbench
