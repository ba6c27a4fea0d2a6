#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "model/operators/workloads/unit_identity.h"
#include "prediction/predict/baselines.h"
#include "prediction/predict/error_figures.h"
#include "prediction/predict/unit_predictor.h"

namespace opbench {

/// A unit of an evaluated model: what was predicted before it ran, what it took in the model.
struct EvaluatedUnit {
  std::string kind;
  UnitIdentity identity;
  int64_t count = 1;
  PredictedTime predicted;
  double measured_s = 0;
  bool is_in_range = true;
};

/// A model, predicted first and then measured by two visits, of which the faster is the truth. A
/// visit that other work disturbed does not count.
struct EvaluatedModel {
  std::string model;
  PredictedTime predicted;
  std::map<Baseline, double> baselines_s;
  std::vector<double> visits_s;
  std::vector<EvaluatedUnit> units;
  double sum_in_model_s = 0;  ///< what its units took together
  std::string reason;         ///< why it has no time

  double measured_s() const;
  /// The visits' difference, as a share of the faster one.
  double disagreement() const;
};

struct Evaluation {
  bool is_left_out = false;      ///< models of the samples, by predictors that have not seen them
  std::vector<KindShare> kinds;  ///< of the samples, heavy and light; of left-out models only
  std::vector<EvaluatedModel> models;
  ErrorFigures of_predictor;
  std::map<Baseline, ErrorFigures> of_baselines;
  ErrorFigures of_visits;  ///< the slower visit against the faster one: the noise floor
  ErrorFigures of_units;   ///< in their models
  std::optional<double> model_coverage;  ///< share of measured models inside their intervals;
                                         ///< nothing without one that has both
  std::optional<double> unit_coverage;   ///< the same of units
  int64_t agreeing = 0;                  ///< models whose visits agree within 5 %
};

struct EvaluationRequest {
  std::vector<ProfileRequest> models;  ///< of one engine and number of threads
  double level = 0.9;
  std::function<void(const Progress&)> progress;  ///< may be empty
  const std::atomic<bool>* cancel = nullptr;
};

/// Predicts all models, then measures all of them, then all again. A model that cannot be planned
/// is an error (load_outline's); one that cannot be measured has a reason. `samples`: what the
/// predictor learnt from, for the baselines.
Result<Evaluation> evaluate(const EvaluationRequest& request, const UnitPredictor& predictor,
                            const SampleSet& samples);

/// The figures over models that have a time.
void add_figures(Evaluation& evaluation);

}  // namespace opbench
