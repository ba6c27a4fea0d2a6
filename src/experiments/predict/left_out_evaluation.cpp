#include "experiments/predict/left_out_evaluation.h"

#include <algorithm>

#include "prediction/predict/left_out.h"

namespace opbench {
namespace {

constexpr int kMostParts = 20;  ///< a predictor is trained for each

}  // namespace

Result<Evaluation> evaluate_left_out(const SampleSet& samples, double level) {
  const int parts = std::min(kMostParts, static_cast<int>(samples.models.size()));
  OPBENCH_TRY(const std::vector<LeftOutModel> models, leave_models_out(samples, parts, level));
  Evaluation evaluation{.is_left_out = true, .kinds = KindRegression(samples).kinds()};
  for (const LeftOutModel& model : models) {
    EvaluatedModel evaluated{
        .model = model.model, .predicted = model.predicted, .baselines_s = model.baselines_s};
    evaluated.visits_s.push_back(model.measured_s);
    if (model.visits > 1) evaluated.visits_s.push_back(model.slowest_s);
    evaluation.models.push_back(std::move(evaluated));
  }
  add_figures(evaluation);
  return evaluation;
}

}  // namespace opbench
