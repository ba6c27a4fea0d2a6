#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engines/package/layout_plan.h"
#include "model/operators/workloads/unit_identity.h"
#include "model/passes/passes.h"
#include "prediction/predict/unit_predictor.h"

namespace opbench {

/// A unit of a model as it is predicted; equal ones are one row.
struct PredictedRow {
  UnitIdentity identity;  ///< with the nodes of all places
  Config config;
  int64_t count = 1;
  PredictedUnit time;
};

/// How a model's time comes from the sum of its units' times:
/// (sum + dispatch) × factor + call overhead.
struct TotalParts {
  double sum_s = 0;
  double dispatch_s = 0;  ///< of all units together
  double factor = 1;      ///< what models that were left out took of their sums
  double call_overhead_s = 0;
};

/// A model's time that nobody measured.
struct ModelPrediction {
  std::vector<PredictedRow> units;  ///< by total time, largest first
  PredictedTime total;
  std::optional<TotalParts> parts = {};  ///< nothing where the total is the plain sum
  int64_t out_of_range = 0;              ///< places of units outside of what the predictor has seen
};

/// From the plan of its units: what `plan_layouts` returns. `level`: 0 … 1.
ModelPrediction predict_steps(const std::vector<PlannedStep>& steps, const UnitPredictor& predictor,
                              double level);

}  // namespace opbench
