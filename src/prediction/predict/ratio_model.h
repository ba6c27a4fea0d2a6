#pragma once

#include <vector>

#include "prediction/predict/feature_columns.h"
#include "prediction/predict/interval_scale.h"
#include "prediction/predict/ratio_pairs.h"
#include "prediction/predict/unit_predictor.h"
#include "prediction/trees/regression_trees.h"

namespace opbench {

/// Predicts the time of a unit in one configuration from its time in another one. The prediction is
/// the measured time, times wave scaling, times a ratio that trees have learnt from other units. As
/// with Habitat's networks, only the error of the scaling is learnt, never a time.
class RatioModel {
 public:
  /// Without learning: wave scaling alone, with an interval of a factor of two.
  RatioModel() = default;

  /// From pairs that have both times; those whose workloads differ are left out of each other in
  /// five parts for the interval. Fewer than kFewestPairs: the same as without learning. Errors are
  /// those of fit_regression.
  static Result<RatioModel> fit(const std::vector<RatioPair>& pairs);
  static constexpr size_t kFewestPairs = 24;

  /// `level`: 0 … 1. `pair.to_s` is not read.
  PredictedTime predict(const RatioPair& pair, double level) const;

  /// Pairs that it has learnt from; 0: wave scaling alone.
  size_t pairs() const { return pairs_; }

 private:
  std::vector<float> row_of(const RatioPair& pair) const;
  static Result<RatioModel> fit_trees(const std::vector<const RatioPair*>& pairs);
  double seconds(const RatioPair& pair) const;

  FeatureColumns columns_;  ///< of the new configuration's features
  RegressionTrees trees_;   ///< log(time / (old time x wave scaling))
  IntervalScale scale_;
  size_t pairs_ = 0;
};

}  // namespace opbench
