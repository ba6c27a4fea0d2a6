#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/unit_times/unit_times.h"

namespace opbench {

/// Times of a model's units that nobody measured.
struct PredictedTimes {
  ProfileTimes times;                 ///< a row has one time, which all equal units share
  std::string source;                 ///< `predicted, halide-t1 4f2a…, halide-t2 …`
  std::vector<std::string> warnings;  ///< a predictor is stale, units are unlike any it has seen
};

/// The in-model times of the request's model by the predictors that this folder has for each of its
/// thread counts. A unit's error is half of the interval that holds its time in 68 of 100 cases.
/// `kInvalidInput` for kernels that are not the default ones; else as plan_model and
/// load_predictor, which name the command that trains a missing one.
Result<PredictedTimes> predicted_times(const ProfileRequest& request,
                                       const std::filesystem::path& predictors);

}  // namespace opbench
