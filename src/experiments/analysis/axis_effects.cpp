#include "experiments/analysis/axis_effects.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "prediction/analysis/correlate.h"
#include "prediction/analysis/mutual_information.h"
#include "prediction/trees/boosted_trees.h"

namespace opbench {
namespace {

constexpr double kLeastShare = 0.02;
constexpr int kRounds = 120;
constexpr size_t kMostSplits = 3;

std::vector<double> row_of(const SweptTimes& table, const std::vector<size_t>& axes, size_t row) {
  std::vector<double> values;
  for (const size_t axis : axes) values.push_back(table.keys[axis].numbers[row]);
  return values;
}

bool is_full_grid(const SweptTimes& table, const std::vector<size_t>& axes) {
  std::set<std::vector<double>> rows;
  for (size_t i = 0; i < table.times.size(); ++i) rows.insert(row_of(table, axes, i));
  size_t product = 1;
  for (const size_t axis : axes) product *= distinct_of(table.keys[axis]);
  return rows.size() == product;
}

std::vector<double> log_times_of(const SweptTimes& table) {
  std::vector<double> times;
  for (const double time : table.times) times.push_back(std::log(time));
  return times;
}

FeatureTable features_of(const SweptTimes& table, const std::vector<size_t>& axes) {
  FeatureTable features{.columns = axes.size(), .values = {}};
  for (size_t i = 0; i < table.times.size(); ++i) {
    const std::vector<double> row = row_of(table, axes, i);
    features.add(std::vector<float>(row.begin(), row.end()));
  }
  return features;
}

/// The mean of ln time over the rows of each value.
Curve mean_curve(const SweptTimes& table, size_t axis, const std::vector<double>& log_times) {
  std::map<double, std::pair<double, double>> sums;
  for (size_t i = 0; i < log_times.size(); ++i) {
    auto& [sum, count] = sums[table.keys[axis].numbers[i]];
    sum += log_times[i];
    count += 1;
  }
  Curve curve;
  for (const auto& [x, entry] : sums) curve.push_back({x, std::exp(entry.first / entry.second)});
  return curve;
}

/// The mean prediction with the axis set to each of its values.
Result<Curve> partial_dependence(const BoostedTrees& trees, const FeatureTable& features,
                                 size_t column, double offset) {
  std::set<float> values;
  for (size_t i = column; i < features.values.size(); i += features.columns) {
    values.insert(features.values[i]);
  }
  Curve curve;
  for (const float value : values) {
    FeatureTable moved = features;
    for (size_t i = column; i < moved.values.size(); i += moved.columns) moved.values[i] = value;
    OPBENCH_TRY(const std::vector<float> predicted, trees.predict(moved));
    double sum = 0;
    for (const float each : predicted) sum += static_cast<double>(each);
    curve.push_back({static_cast<double>(value),
                     std::exp(offset + sum / static_cast<double>(predicted.size()))});
  }
  return curve;
}

/// Where each axis splits, by the gain of all splits there.
Result<void> add_splits(const BoostedTrees& trees, std::vector<AxisEffect>& effects) {
  OPBENCH_TRY(const std::vector<TreeSplit> splits, trees.splits());
  std::vector<std::map<double, double>> gains(effects.size());
  double total = 0;
  for (const TreeSplit& split : splits) {
    gains[split.column][static_cast<double>(split.threshold)] += split.gain;
    total += split.gain;
  }
  for (size_t i = 0; i < effects.size() && total > 0; ++i) {
    for (const auto& [threshold, gain] : gains[i]) {
      effects[i].splits.push_back({threshold, gain / total});
      effects[i].gain_share += gain / total;
    }
    std::ranges::stable_sort(effects[i].splits, std::ranges::greater(), &AxisThreshold::share);
    if (effects[i].splits.size() > kMostSplits) effects[i].splits.resize(kMostSplits);
  }
  return {};
}

/// Of the variance, with a bin for each value.
double share_of(const std::vector<double>& values, const std::vector<double>& log_times) {
  return shape_of(values, bins_of(values, values.size()), log_times).share;
}

std::vector<AxisEffect> effects_of(const SweptTimes& table, const std::vector<size_t>& axes,
                                   const std::vector<double>& log_times) {
  FactorTimes times{.factors = {}, .log_times = log_times};
  for (const size_t axis : axes) {
    times.factors.push_back({table.keys[axis].name, table.keys[axis].numbers, {}});
  }
  std::vector<AxisEffect> effects;
  for (const FactorCorrelation& factor : correlate(times, {}).factors) {
    AxisEffect effect{.axis = factor.factor};
    effect.share = share_of(table.keys[axes[effects.size()]].numbers, log_times);
    effect.has_effect =
        factor.verdict != FactorVerdict::kIndependent && effect.share >= kLeastShare;
    effects.push_back(std::move(effect));
  }
  return effects;
}

}  // namespace

Result<AxisModel> axis_model(const SweptTimes& table, const std::vector<size_t>& axes) {
  AxisModel model;
  const std::vector<double> log_times = log_times_of(table);
  model.effects = effects_of(table, axes, log_times);
  model.unexplained = 1;
  for (const AxisEffect& effect : model.effects) model.unexplained -= effect.share;
  model.unexplained = std::max(0.0, model.unexplained);
  double mean = 0;
  for (const double time : log_times) mean += time / static_cast<double>(log_times.size());
  std::vector<float> labels;
  for (const double time : log_times) labels.push_back(static_cast<float>(time - mean));
  const FeatureTable features = features_of(table, axes);
  TreeOptions options{.most_rounds = kRounds, .patience = kRounds};
  OPBENCH_TRY(const BoostedTrees trees, BoostedTrees::fit(features, labels, options));
  OPBENCH_CHECK(add_splits(trees, model.effects));
  model.is_surrogate = !is_full_grid(table, axes);
  for (size_t i = 0; i < axes.size(); ++i) {
    if (!model.is_surrogate) {
      model.curves.push_back(mean_curve(table, axes[i], log_times));
      continue;
    }
    OPBENCH_TRY(Curve curve, partial_dependence(trees, features, i, mean));
    model.curves.push_back(std::move(curve));
  }
  return model;
}

}  // namespace opbench
