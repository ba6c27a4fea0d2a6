#pragma once

#include <string>
#include <vector>

#include "engines/package/layout_plan.h"
#include "model/passes/passes.h"
#include "prediction/units/unit_predictor.h"

namespace opbench {

/// A unit of a model as it is predicted; equal ones are one row.
struct PredictedRow {
  std::string operator_text;
  std::string shapes;
  std::string workload;      ///< canonical text
  std::vector<int> layouts;  ///< channel blocks of operands, then of the output
  std::string schedule;
  Config config;
  int64_t count = 1;
  std::vector<std::string> nodes;
  PredictedUnit time;
};

/// A model's time that nobody measured.
struct ModelPrediction {
  std::vector<PredictedRow> units;  ///< by total time, largest first
  PredictedTime total;
  int64_t out_of_range = 0;  ///< places of units outside of what the predictor has seen
};

/// From the plan of its units: what `plan_layouts` returns. `level`: 0 … 1.
ModelPrediction predict_steps(const std::vector<PlannedStep>& steps, const UnitPredictor& predictor,
                              double level);

}  // namespace opbench
