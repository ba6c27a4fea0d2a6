#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "prediction/predict/configuration.h"
#include "prediction/predict/model_prediction.h"

namespace opbench {

/// A model that was measured in one configuration and is asked for in another one.
struct ConfiguredRequest {
  ProfileRequest model;                      ///< its threads and target are not read
  std::vector<std::filesystem::path> from;   ///< records of it
  std::string change;                        ///< `threads=2,target=avx2`
  std::vector<std::filesystem::path> pairs;  ///< records of other models in both configurations
  std::string machine_hash;                  ///< of this machine
  std::filesystem::path folder;              ///< where ceilings are kept
  double level = 0.9;                        ///< of the intervals
};

struct ConfiguredPrediction {
  std::string model;
  bool is_workload = false;
  Configuration from, to;
  size_t pairs = 0;  ///< units that the ratio was learnt from; 0: wave scaling alone
  ModelPrediction prediction;
  std::map<std::string, int64_t> missing;  ///< operators that our engine does not run
};

/// Predicts every unit from its measured time (RatioModel). What a call takes beside its units
/// stays as it was measured; the interval of the sum is the sum of the intervals, as if all errors
/// were one. A unit that has no measured time is marked, and scaled as the others are over their
/// bounds.
///
/// `kInvalidInput`: what `changed` and `configuration_of` say, a change that changes nothing,
/// records of several configurations, records of another machine or other schedules, what a
/// configuration lacks here. `kNoMatch`: no record of the model.
Result<ConfiguredPrediction> predict_configured(const ConfiguredRequest& request);

}  // namespace opbench
