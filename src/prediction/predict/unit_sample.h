#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prediction/predict/model_context.h"

namespace opbench {

/// A unit as it was measured in one model, by the fastest of its visits.
struct UnitSample {
  std::vector<std::string> record_ids;
  std::string model;     ///< where it was measured
  std::string group;     ///< what is left out together: a family of models, else the model
  std::string identity;  ///< canonical workload, layouts, schedule: equal ones are one kernel
  UnitFeatures features;
  ModelContext context = {};
  std::optional<double> isolated_s;  ///< alone
  std::optional<double> in_model_s;  ///< inside the running model
};

/// A model as it was measured, by the fastest of its visits.
struct ModelSample {
  std::vector<std::string> record_ids;
  std::string model;
  std::string group;
  double end_to_end_s = 0;
  double slowest_s = 0;  ///< of the visits
  int visits = 0;
  std::optional<double> dispatch_s;
  std::optional<double> call_overhead_s;
  std::vector<std::pair<size_t, int64_t>> units;  ///< index among the samples, count
};

/// What a predictor is made from: samples of one engine, machine and number of threads.
struct SampleSet {
  std::vector<UnitSample> units;
  std::vector<ModelSample> models;
  std::map<std::string, int64_t> left_out;  ///< records that are not among them, by reason
};

}  // namespace opbench
