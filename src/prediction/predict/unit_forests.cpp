#include "prediction/predict/unit_forests.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// Rows that the general trees learn from beside those of rare schedules: more cost time only.
constexpr size_t kMostGeneralRows = 1500;

/// Ratios of the times in place and alone outside of these are noise.
constexpr double kLeastPlace = 0.5;
constexpr double kMostPlace = 5;

using Samples = std::vector<const UnitSample*>;
using UnitForestsSeconds = std::optional<double> UnitSample::*;

/// Rows with labels, weighted by the root of the time: long units count for models, and the times
/// of short ones vary most.
struct Rows {
  FeatureTable features;
  std::vector<float> labels;
  std::vector<float> weights;

  explicit Rows(const FeatureColumns& columns) { features.columns = columns.names().size(); }

  void add(const std::vector<float>& row, double label, double time_s) {
    features.add(row);
    labels.push_back(static_cast<float>(label));
    weights.push_back(static_cast<float>(std::sqrt(time_s)));
  }

  void even_out_weights() {
    constexpr float kLightest = 0.1F;
    constexpr float kHeaviest = 5;
    double sum = 0;
    for (const float weight : weights) sum += weight;
    const auto mean = static_cast<float>(sum / static_cast<double>(weights.size()));
    for (float& weight : weights) weight = std::clamp(weight / mean, kLightest, kHeaviest);
  }
};

Result<RegressionTrees> fit(Rows rows, const RegressionOptions& options) {
  if (rows.labels.empty()) return RegressionTrees();
  rows.even_out_weights();
  return fit_regression(rows.features, rows.labels, rows.weights, options);
}

/// The name of the trees that predict a unit.
std::string unit_forests_forest_of(const UnitFeatures& features) {
  return features.schedule.empty() ? features.kind : features.schedule;
}

/// `has_cold_weights`: times are told relative to the bound and the cold weights, else to the
/// bound.
Result<RegressionTrees> fit_times(const Samples& samples, const FeatureColumns& columns,
                                  UnitForestsSeconds seconds, bool has_cold_weights) {
  Rows rows(columns);
  for (const UnitSample* sample : samples) {
    const std::optional<double>& time_s = sample->*seconds;
    if (!time_s || *time_s <= 0) continue;
    double bound_s = sample->features.bound_s;
    if (has_cold_weights) bound_s += cold_weights_s(sample->features, sample->context);
    rows.add(columns.row(sample->features, sample->context), std::log(*time_s / bound_s), *time_s);
  }
  // Deeper trees recognise a model by its sums (kModelFeatures) and learn the noise of its visit.
  constexpr RegressionOptions kTimes{.depth = 4, .least_weight = 3};
  return fit(std::move(rows), kTimes);
}

Result<ScheduleForest> fit_schedule(const Samples& samples, bool has_kinds) {
  ScheduleForest forest;
  forest.columns = FeatureColumns::of(samples, has_kinds);
  OPBENCH_TRY(forest.isolated, fit_times(samples, forest.columns, &UnitSample::isolated_s, false));
  OPBENCH_TRY(forest.in_model, fit_times(samples, forest.columns, &UnitSample::in_model_s, true));
  return forest;
}

Result<RegressionTrees> fit_place(const Samples& samples, const FeatureColumns& columns) {
  constexpr RegressionOptions kShallow{.rounds = 120, .depth = 4, .least_weight = 4};
  Rows rows(columns);
  for (const UnitSample* sample : samples) {
    if (!sample->isolated_s || !sample->in_model_s || *sample->isolated_s <= 0) continue;
    const double cold_s = cold_weights_s(sample->features, sample->context);
    const double ratio = *sample->in_model_s / (*sample->isolated_s + cold_s);
    if (ratio < kLeastPlace || ratio > kMostPlace) continue;
    rows.add(columns.row(sample->features, sample->context), std::log(ratio), *sample->in_model_s);
  }
  return fit(std::move(rows), kShallow);
}

/// All of rare schedules and some of the others.
Samples general_samples(const std::map<std::string, Samples>& by_schedule) {
  Samples rare;
  Samples others;
  for (const auto& [name, samples] : by_schedule) {
    Samples& to = samples.size() < kFewestOfSchedule ? rare : others;
    to.insert(to.end(), samples.begin(), samples.end());
  }
  Random random(0, "general samples");
  const std::vector<size_t> order = random.shuffled(others.size());
  for (size_t i = 0; i < std::min(order.size(), kMostGeneralRows); ++i) {
    rare.push_back(others[order[i]]);
  }
  return rare;
}

double unit_forests_ratio_of(const RegressionTrees& trees, const std::vector<float>& row) {
  return std::exp(trees.predict(row));
}

}  // namespace

Result<UnitForests> fit_forests(std::span<const UnitSample* const> samples) {
  std::map<std::string, Samples> by_schedule;
  for (const UnitSample* sample : samples)
    by_schedule[unit_forests_forest_of(sample->features)].push_back(sample);
  UnitForests forests;
  for (const auto& [name, of_schedule] : by_schedule) {
    if (of_schedule.size() < kFewestOfSchedule) continue;
    OPBENCH_TRY(forests.schedules[name], fit_schedule(of_schedule, false));
  }
  const Samples general = general_samples(by_schedule);
  OPBENCH_TRY(forests.general, fit_schedule(general, true));
  forests.place_columns = forests.general.columns;
  const Samples all(samples.begin(), samples.end());
  OPBENCH_TRY(forests.place, fit_place(all, forests.place_columns));
  return forests;
}

UnitTime predict_unit(const UnitForests& forests, const UnitFeatures& features,
                      const ModelContext& context) {
  const auto found = forests.schedules.find(unit_forests_forest_of(features));
  const bool is_rare = found == forests.schedules.end();
  const ScheduleForest& forest = is_rare ? forests.general : found->second;
  const std::vector<float> row = forest.columns.row(features, context);
  double place = 1;
  if (!forests.place.is_empty()) {
    place = unit_forests_ratio_of(forests.place, forests.place_columns.row(features, context));
  }
  UnitTime time;
  const bool has_isolated = !forest.isolated.is_empty();
  const bool has_in_model = !forest.in_model.is_empty();
  if (has_isolated)
    time.isolated_s = features.bound_s * unit_forests_ratio_of(forest.isolated, row);
  const double cold_s = cold_weights_s(features, context);
  if (has_in_model) {
    time.in_model_s = (features.bound_s + cold_s) * unit_forests_ratio_of(forest.in_model, row);
  }
  const double placed_s = (time.isolated_s + cold_s) * place;
  if (has_isolated && has_in_model) {
    time.in_model_s = std::sqrt(time.in_model_s * placed_s);
  } else if (has_isolated) {
    time.in_model_s = placed_s;
  } else {
    time.isolated_s = std::max(time.in_model_s / place - cold_s, features.bound_s);
  }
  return time;
}

}  // namespace opbench
