#include "prediction/predict/left_out.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "prediction/predict/fit_predictor.h"

namespace opbench {
namespace {

/// The samples without a model and without the kernels that occur in it.
SampleSet without(const SampleSet& samples, const std::string& model) {
  std::set<std::string> occurring;
  for (const UnitSample& unit : samples.units) {
    if (unit.model == model) occurring.insert(unit.identity);
  }
  SampleSet others = samples;
  for (UnitSample& unit : others.units) {
    if (occurring.contains(unit.identity)) unit.in_model_s.reset();
  }
  std::erase_if(others.models, [&](const ModelSample& other) { return other.model == model; });
  return others;
}

std::map<Baseline, double> baselines_of(const SampleSet& samples, const ModelSample& model) {
  const Baselines baselines(without(samples, model.model));
  std::vector<CountedUnit> units;
  for (const auto& [unit, count] : model.units) {
    units.push_back({&samples.units[unit].features, count});
  }
  std::map<Baseline, double> seconds;
  for (const Baseline baseline : kBaselines) seconds[baseline] = baselines.model_s(baseline, units);
  return seconds;
}

/// Sets intervals from the errors of all other models.
void add_intervals(std::vector<LeftOutModel>& models, double level) {
  const auto score = [](const LeftOutModel& model) {
    return std::abs(std::log(model.measured_s / model.predicted.median_s));
  };
  for (LeftOutModel& model : models) {
    std::vector<double> others;
    for (const LeftOutModel& other : models) {
      if (&other != &model) others.push_back(score(other));
    }
    const auto width = IntervalScale(std::move(others)).half_width(level);
    model.has_interval = width.has_value();
    if (!width) continue;
    model.predicted.low_s = model.predicted.median_s * std::exp(-*width);
    model.predicted.high_s = model.predicted.median_s * std::exp(*width);
  }
}

}  // namespace

Result<std::vector<LeftOutModel>> leave_models_out(SampleSet samples, int parts, double level) {
  for (UnitSample& unit : samples.units) unit.group = unit.model;
  for (ModelSample& model : samples.models) model.group = model.model;
  const auto count = static_cast<int>(samples.models.size());
  const Error too_few{ErrorCode::kInvalidInput,
                      "there are too few measured models to leave one out"};
  if (count < 2) return too_few;
  OPBENCH_TRY(const auto unseen, predict_unseen(samples, parts));
  if (!unseen) return too_few;
  const std::vector<double> totals = unseen_totals_s(samples, *unseen);
  std::vector<LeftOutModel> models;
  for (size_t i = 0; i < samples.models.size(); ++i) {
    const ModelSample& model = samples.models[i];
    if (totals[i] <= 0) continue;
    models.push_back({.model = model.model,
                      .predicted = {totals[i], totals[i], totals[i]},
                      .baselines_s = baselines_of(samples, model),
                      .measured_s = model.end_to_end_s,
                      .slowest_s = model.slowest_s,
                      .visits = model.visits});
  }
  add_intervals(models, level);
  return models;
}

}  // namespace opbench
