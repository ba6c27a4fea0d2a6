#include "prediction/predict/ratio_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "base/numbers/random.h"

namespace opbench {
namespace {

constexpr int kParts = 5;
constexpr RegressionOptions kTrees{.rounds = 150, .depth = 4, .eta = 0.06, .least_weight = 4};

/// Where no error of units that were left out promises the level: a factor of two.
constexpr double kRatioModelUnknownHalfWidth = std::numbers::ln2;

WaveScaling scaling_of(const RatioPair& pair) {
  return wave_scaling(pair.from_features, pair.from.threads, pair.to_features, pair.to.threads);
}

/// Of every workload, the part in which it is left out.
std::vector<int> ratio_model_parts_of(const std::vector<RatioPair>& pairs) {
  std::set<std::string> workloads;
  for (const RatioPair& pair : pairs) workloads.insert(pair.workload);
  const std::vector<std::string> names(workloads.begin(), workloads.end());
  Random random(0, "left-out workloads");
  const std::vector<size_t> order = random.shuffled(names.size());
  std::vector<int> part_of_name(names.size());
  for (size_t i = 0; i < order.size(); ++i) part_of_name[order[i]] = static_cast<int>(i) % kParts;
  std::vector<int> parts;
  for (const RatioPair& pair : pairs) {
    const auto place = std::ranges::lower_bound(names, pair.workload);
    parts.push_back(part_of_name[static_cast<size_t>(place - names.begin())]);
  }
  return parts;
}

}  // namespace

std::vector<float> RatioModel::row_of(const RatioPair& pair) const {
  std::vector<float> row = columns_.row(pair.to_features, {});
  const WaveScaling scaling = scaling_of(pair);
  const UnitFeatures& from = pair.from_features;
  const UnitFeatures& to = pair.to_features;
  for (const double value :
       {std::log(scaling.compute_ratio), std::log(scaling.memory_ratio), scaling.memory_share,
        std::log(scaling.ratio), std::log(pair.from_s), std::log(pair.from_s / from.bound_s),
        std::log(to.bound_s / from.bound_s), std::log(parallel_tasks(from)),
        std::log(parallel_tasks(to)), from.schedule == to.schedule ? 1.0 : 0.0,
        static_cast<double>(pair.from.isa), static_cast<double>(pair.to.isa),
        static_cast<double>(pair.from.threads), static_cast<double>(pair.to.threads)}) {
    row.push_back(static_cast<float>(value));
  }
  return row;
}

Result<RatioModel> RatioModel::fit_trees(const std::vector<const RatioPair*>& pairs) {
  std::vector<UnitSample> samples;
  for (const RatioPair* pair : pairs) {
    samples.emplace_back();
    samples.back().features = pair->to_features;
  }
  std::vector<const UnitSample*> pointers;
  for (const UnitSample& sample : samples) pointers.push_back(&sample);
  RatioModel model;
  model.columns_ = FeatureColumns::of(pointers, true);
  model.pairs_ = pairs.size();
  FeatureTable table;
  std::vector<float> labels;
  for (const RatioPair* pair : pairs) {
    const std::vector<float> row = model.row_of(*pair);
    table.columns = row.size();
    table.add(row);
    labels.push_back(
        static_cast<float>(std::log(pair->to_s / (pair->from_s * scaling_of(*pair).ratio))));
  }
  const std::vector<float> weights(labels.size(), 1);
  OPBENCH_TRY(model.trees_, fit_regression(table, labels, weights, kTrees));
  return model;
}

Result<RatioModel> RatioModel::fit(const std::vector<RatioPair>& pairs) {
  if (pairs.size() < kFewestPairs) return RatioModel();
  const std::vector<int> parts = ratio_model_parts_of(pairs);
  std::vector<double> scores;
  for (int part = 0; part < kParts; ++part) {
    std::vector<const RatioPair*> others;
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (parts[i] != part) others.push_back(&pairs[i]);
    }
    if (others.empty() || others.size() == pairs.size()) continue;
    OPBENCH_TRY(const RatioModel model, fit_trees(others));
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (parts[i] != part) continue;
      scores.push_back(std::abs(std::log(pairs[i].to_s / model.seconds(pairs[i]))));
    }
  }
  std::vector<const RatioPair*> all;
  for (const RatioPair& pair : pairs) all.push_back(&pair);
  OPBENCH_TRY(RatioModel model, fit_trees(all));
  model.scale_ = IntervalScale(std::move(scores));
  return model;
}

double RatioModel::seconds(const RatioPair& pair) const {
  const double scaled_s = pair.from_s * scaling_of(pair).ratio;
  if (trees_.is_empty()) return scaled_s;
  return scaled_s * std::exp(trees_.predict(row_of(pair)));
}

PredictedTime RatioModel::predict(const RatioPair& pair, double level) const {
  const double median_s = seconds(pair);
  const auto known = scale_.half_width(level);
  const double width = known.value_or(kRatioModelUnknownHalfWidth);
  return {.median_s = median_s,
          .low_s = median_s * std::exp(-width),
          .high_s = median_s * std::exp(width),
          .is_assumed = !known};
}

}  // namespace opbench
