#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "prediction/predict/model_prediction.h"
#include "prediction/predict/unit_predictor.h"

namespace opbench {

/// A model that is asked for on a device of which no more is known than a few times.
struct DeviceRequest {
  ProfileRequest model;                       ///< its threads and target are not read
  std::string device;                         ///< for messages
  std::vector<std::filesystem::path> probes;  ///< reports of `env --probe` there (opbench.probe/1)
  std::vector<std::filesystem::path> labels;  ///< records of units that were measured there
  std::vector<UnitPredictor> pool;            ///< of known devices, at least one
  double level = 0.9;                         ///< of the intervals
};

struct DevicePrediction {
  std::string model;
  bool is_workload = false;
  size_t labels = 0, probes = 0;      ///< times of the device that were used
  double typical_error = 0;           ///< of a time that was left out, as a share: the median
  std::vector<std::string> left_out;  ///< times that were not used, each with its reason
  ModelPrediction prediction;
  std::map<std::string, int64_t> missing;  ///< operators that our engine does not run
};

/// Predicts every unit as a combination of its times on the known devices, which their predictors
/// tell, and of what its bound is made of there: arithmetic, memory and a constant. The weights, at
/// least 0, are those that fit the device's own times best (predict_few_shot). Intervals are those
/// of times that were left out one by one; with fewer than four, a factor of 2.
///
/// `kInvalidInput`: no time of the device, a file that is none of these, a time that is not above
/// 0, what plan_model says.
Result<DevicePrediction> predict_device(const DeviceRequest& request);

}  // namespace opbench
