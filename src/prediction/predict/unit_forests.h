#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "prediction/predict/feature_columns.h"
#include "prediction/trees/regression_trees.h"

namespace opbench {

/// Both times of a unit.
struct UnitTime {
  double isolated_s = 0;
  double in_model_s = 0;
};

/// Trees for units of one schedule. Either may be empty: no sample had such a time.
struct ScheduleForest {
  FeatureColumns columns;
  RegressionTrees isolated;  ///< log(time alone / bound)
  RegressionTrees in_model;  ///< log(time in the model / (bound + cold weights))
};

/// What predicts times of units. A time in a model is the geometric mean of two predictions: the
/// time alone with its cold weights, times the factor of the place; and the time in the model
/// learnt directly.
struct UnitForests {
  std::map<std::string, ScheduleForest> schedules;  ///< of which there are enough samples
  ScheduleForest general;                           ///< for all others
  FeatureColumns place_columns;
  /// log(time in the model / (time alone + cold weights)), of all schedules; may be empty
  RegressionTrees place;
};

/// Fewer samples of a schedule have no forest of their own.
constexpr size_t kFewestOfSchedule = 24;

/// `samples` is not empty. Errors are those of fit_regression.
Result<UnitForests> fit_forests(std::span<const UnitSample* const> samples);

UnitTime predict_unit(const UnitForests& forests, const UnitFeatures& features,
                      const ModelContext& context);

}  // namespace opbench
