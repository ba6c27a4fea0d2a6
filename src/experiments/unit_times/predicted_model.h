#pragma once

#include <map>
#include <string>

#include "engines/package/layout_plan.h"
#include "experiments/sessions/request/profile_request.h"
#include "prediction/predict/model_prediction.h"

namespace opbench {

/// The units that a model or workload would run as, found without making its weights or compiling.
struct PlannedModel {
  std::string name;
  std::vector<PlannedStep> steps;
  std::map<std::string, int64_t> missing;  ///< operators that our engine does not run, how often
  bool is_workload = false;
};

/// By the default kernels for `request.threads.front()` threads. `kInvalidInput` as load_outline
/// and the passes say.
Result<PlannedModel> plan_model(const ProfileRequest& request);

/// What is predicted for it. A workload's total is that of its units alone, as `op` times it.
ModelPrediction predict_planned(const PlannedModel& model, const UnitPredictor& predictor,
                                double level);

}  // namespace opbench
