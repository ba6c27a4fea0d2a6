#include "prediction/predict/baselines.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace opbench {
namespace {

double baselines_median_of(std::vector<double> values) {
  if (values.empty()) return 1;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// FLOPs of the workload, as unit_feature_names() has them first.
double flops_of(const UnitFeatures& features) { return std::exp2(features.values.front()) - 1; }

}  // namespace

std::string name_of(Baseline baseline) {
  switch (baseline) {
    case Baseline::kNearest:
      return "nearest unit";
    case Baseline::kRegression:
      return "regression a kind";
    case Baseline::kRoofline:
      return "roofline";
    case Baseline::kFlops:
      return "FLOPs";
  }
  return "";
}

Baselines::Baselines(const SampleSet& samples) : regression_(samples) {
  std::vector<double> ratios;
  double seconds = 0;
  double flops = 0;
  std::vector<double> sums(unit_feature_names().size()), squares(sums.size());
  for (const UnitSample& unit : samples.units) {
    if (!unit.in_model_s) continue;
    const double ratio = *unit.in_model_s / unit.features.bound_s;
    neighbours_[unit.features.kind].push_back({unit.features.values, ratio});
    ratios.push_back(ratio);
    seconds += *unit.in_model_s;
    flops += flops_of(unit.features);
    for (size_t i = 0; i < sums.size(); ++i) {
      const double value = unit.features.values[i];
      sums[i] += value;
      squares[i] += value * value;
    }
  }
  const auto count = static_cast<double>(std::max<size_t>(ratios.size(), 1));
  for (size_t i = 0; i < sums.size(); ++i) {
    const double mean = sums[i] / count;
    const double variance = std::max(squares[i] / count - mean * mean, 0.0);
    spread_.push_back(static_cast<float>(std::sqrt(variance)));
  }
  median_ratio_ = baselines_median_of(std::move(ratios));
  seconds_per_flop_ = flops > 0 ? seconds / flops : 0;
  for (const Baseline baseline : kBaselines) {
    std::vector<double> factors;
    for (const ModelSample& model : samples.models) {
      std::vector<CountedUnit> units;
      for (const auto& [unit, times_in_model] : model.units) {
        units.push_back({&samples.units[unit].features, times_in_model});
      }
      // A sample is its own nearest neighbour: its sum is that of measured times.
      const double sum = sum_s(baseline, units);
      if (sum > 0) factors.push_back(model.end_to_end_s / sum);
    }
    factors_[baseline] = baselines_median_of(std::move(factors));
  }
}

double Baselines::nearest_ratio(const UnitFeatures& features) const {
  const auto of_kind = neighbours_.find(features.kind);
  if (of_kind == neighbours_.end()) return median_ratio_;
  double best = std::numeric_limits<double>::infinity();
  double ratio = median_ratio_;
  for (const Neighbour& neighbour : of_kind->second) {
    double distance = 0;
    for (size_t i = 0; i < spread_.size() && distance < best; ++i) {
      if (spread_[i] <= 0) continue;
      const double step =
          static_cast<double>(features.values[i] - neighbour.values[i]) / spread_[i];
      distance += step * step;
    }
    if (distance < best) {
      best = distance;
      ratio = neighbour.ratio;
    }
  }
  return ratio;
}

double Baselines::unit_s(Baseline baseline, const UnitFeatures& features) const {
  switch (baseline) {
    case Baseline::kNearest:
      return features.bound_s * nearest_ratio(features);
    case Baseline::kRegression:
      return regression_.unit_s(features);
    case Baseline::kRoofline:
      return features.bound_s * median_ratio_;
    case Baseline::kFlops:
      return flops_of(features) * seconds_per_flop_;
  }
  return 0;
}

double Baselines::sum_s(Baseline baseline, const std::vector<CountedUnit>& units) const {
  double sum = 0;
  for (const CountedUnit& unit : units) {
    sum += unit_s(baseline, *unit.features) * static_cast<double>(unit.count);
  }
  return sum;
}

double Baselines::model_s(Baseline baseline, const std::vector<CountedUnit>& units) const {
  return sum_s(baseline, units) * factors_.at(baseline);
}

}  // namespace opbench
