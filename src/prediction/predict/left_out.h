#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prediction/predict/baselines.h"
#include "prediction/predict/unit_predictor.h"

namespace opbench {

/// A measured model, predicted by what has seen neither it nor any kernel that occurs in it.
struct LeftOutModel {
  std::string model;
  PredictedTime predicted;  ///< the interval is that of the other models' errors
  bool has_interval = false;
  std::map<Baseline, double> baselines_s;
  double measured_s = 0;  ///< by the fastest visit
  double slowest_s = 0;
  int visits = 0;
};

/// Every model of the samples. The predictor is trained once for each of at most `parts` parts of
/// the models, the baselines once for each model. `level`: 0 … 1. `kInvalidInput` with fewer than
/// two models; else as fit_forests.
Result<std::vector<LeftOutModel>> leave_models_out(SampleSet samples, int parts, double level);

}  // namespace opbench
