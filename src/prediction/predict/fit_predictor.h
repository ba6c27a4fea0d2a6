#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prediction/predict/unit_predictor.h"
#include "prediction/predict/unit_sample.h"

namespace opbench {

/// Predictions for samples that the predictor has not seen: by forests that learnt from other
/// groups of models only, and from no kernel that occurs in the group.
struct UnseenPredictions {
  std::vector<UnitTime> units;       ///< by sample
  std::vector<double> model_sums_s;  ///< by model: its units' times in it
};

/// Groups are left out together, in at most `folds` parts. At least two groups, else nothing.
/// Errors are those of fit_forests.
Result<std::optional<UnseenPredictions>> predict_unseen(const SampleSet& samples, int folds);

/// Seconds of whole models from these: what stands beside the units (dispatch, call overhead) and
/// the factor of sums come from models of other groups, too. One a model of the samples.
std::vector<double> unseen_totals_s(const SampleSet& samples, const UnseenPredictions& unseen);

/// What a predictor says of itself beside what it has learnt.
struct PredictorIdentity {
  std::string engine;
  int threads = 1;
  std::string machine_hash;
  std::string software_hash;
  std::string schedule_version;
  std::string target;
  std::string timestamp;
  Ceilings ceilings;  ///< those that the features of the samples were made with
};

/// A predictor from all samples; its errors and intervals are those of predict_unseen. `unseen`, if
/// it is asked for, gets these. `kInvalidInput` without samples; else as fit_forests.
Result<UnitPredictor> fit_predictor(const SampleSet& samples, const PredictorIdentity& identity,
                                    std::optional<UnseenPredictions>* unseen = nullptr);

}  // namespace opbench
