#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engines/package/layout_plan.h"
#include "prediction/predict/model_context.h"

namespace opbench {

struct ModelPrediction;
struct PredictedRow;

/// Equal kernels of a plan.
struct PlannedUnit {
  const PlannedStep* step = nullptr;  ///< the first of them
  int64_t count = 0;
  std::set<std::vector<std::string>> weights;  ///< names of the weights, once for units that share
  std::vector<std::string> nodes;
  std::string identity;  ///< kernel_identity
  UnitFeatures features;
};

/// The units of a plan, which outlives them, in the order of their first occurrence; features by
/// these ceilings.
std::vector<PlannedUnit> planned_units(const std::vector<PlannedStep>& steps,
                                       const Ceilings& ceilings);

/// The unit for context_of; `unit` outlives it.
CountedUnit counted(const PlannedUnit& unit);

/// The row of a prediction (model_prediction.h), without a time.
PredictedRow row_of(const PlannedUnit& unit);

/// Puts the units that take most of the model's time first.
void sort_by_time(ModelPrediction& prediction);

}  // namespace opbench
