#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "prediction/few_shot/dense_matrix.h"
#include "prediction/serve/group_methods.h"
#include "prediction/trees/regression_trees.h"

namespace opbench {
namespace {

constexpr double kMostLogSlowDown = 3;  // a factor of 20: no prediction goes further

double rate(double amount, double ms) { return std::log1p(amount / ms); }

GroupSlowDown bounded(std::function<double(const std::vector<float>&)> log_slow_down) {
  return [predict = std::move(log_slow_down)](const GroupPart& own,
                                              std::span<const GroupPart> others) {
    return std::exp(std::clamp(predict(slow_down_features(own, others)), 0.0, kMostLogSlowDown));
  };
}

/// Mean and scale of every column, so that one ridge fits all.
struct Scaling {
  std::vector<double> mean, scale;

  explicit Scaling(const std::vector<std::vector<float>>& rows)
      : mean(rows.front().size(), 0.0), scale(rows.front().size(), 0.0) {
    const auto count = static_cast<double>(rows.size());
    for (const auto& row : rows) {
      for (size_t i = 0; i < row.size(); ++i) mean[i] += double{row[i]} / count;
    }
    for (const auto& row : rows) {
      for (size_t i = 0; i < row.size(); ++i) {
        scale[i] += (double{row[i]} - mean[i]) * (double{row[i]} - mean[i]) / count;
      }
    }
    for (double& one : scale) one = one > 0 ? std::sqrt(one) : 1;
  }
  double at(const std::vector<float>& row, size_t i) const {
    return (double{row[i]} - mean[i]) / scale[i];
  }
};

Error no_samples() {
  return {ErrorCode::kInvalidInput, "no pair was measured: there is nothing to learn from"};
}

}  // namespace

std::vector<SlowDownSample> slow_down_samples(const std::vector<GroupSample>& groups) {
  std::vector<SlowDownSample> samples;
  for (const GroupSample& group : groups) {
    if (group.parts.size() != 2) continue;
    const std::vector<double> factors = slow_downs_of_pair(group.parts, group.ends_ms);
    samples.push_back({group.parts[0], {group.parts[1]}, factors[0]});
    samples.push_back({group.parts[1], {group.parts[0]}, factors[1]});
  }
  return samples;
}

std::vector<float> slow_down_features(const GroupPart& own, std::span<const GroupPart> others) {
  double bytes = 0, memory = 0, flops = 0, resident = 0, pressure = 1;
  for (const GroupPart& other : others) {
    bytes += other.bytes / other.solo_ms;
    memory += other.memory_bytes / other.solo_ms;
    flops += other.flops / other.solo_ms;
    resident += other.resident_bytes;
    pressure += other.pressure - 1;
  }
  const double own_bytes = own.bytes / own.solo_ms;
  const std::vector<double> features = {
      std::log(own.solo_ms),
      rate(own.bytes, own.solo_ms),
      rate(own.flops, own.solo_ms),
      own.bytes > 0 ? std::log1p(own.flops / own.bytes) : 0,
      std::log1p(own.resident_bytes),
      own.pressure,
      std::log1p(bytes),
      std::log1p(flops),
      std::log1p(resident),
      pressure,
      std::log1p(own_bytes + bytes),
      std::log1p(own.resident_bytes + resident),
      rate(own.memory_bytes, own.solo_ms),
      std::log1p(memory),
      std::log1p(own.memory_bytes / own.solo_ms + memory),
      std::log(curve_slow_down(own, others)),
  };
  return {features.begin(), features.end()};
}

Result<GroupSlowDown> fit_linear_slow_down(const std::vector<SlowDownSample>& samples) {
  constexpr double kRidge = 1e-3;  // of a sample
  if (samples.empty()) return no_samples();
  std::vector<std::vector<float>> rows;
  double mean = 0;
  for (const SlowDownSample& one : samples) {
    rows.push_back(slow_down_features(one.own, one.others));
    mean += std::log(one.slow_down) / static_cast<double>(samples.size());
  }
  const Scaling scaling(rows);
  const size_t columns = rows.front().size();
  DenseMatrix a(columns, columns), b(columns, 1);
  for (size_t row = 0; row < rows.size(); ++row) {
    const double label = std::log(samples[row].slow_down) - mean;
    for (size_t i = 0; i < columns; ++i) {
      b.at(i, 0) += scaling.at(rows[row], i) * label;
      for (size_t j = 0; j < columns; ++j) {
        a.at(i, j) += scaling.at(rows[row], i) * scaling.at(rows[row], j);
      }
    }
  }
  for (size_t i = 0; i < columns; ++i) a.at(i, i) += kRidge * static_cast<double>(rows.size());
  const DenseMatrix weights = solve_positive(std::move(a), std::move(b));
  return bounded([scaling, weights, mean](const std::vector<float>& row) {
    double sum = mean;
    for (size_t i = 0; i < row.size(); ++i) sum += weights.at(i, 0) * scaling.at(row, i);
    return sum;
  });
}

Result<GroupSlowDown> fit_tree_slow_down(const std::vector<SlowDownSample>& samples) {
  if (samples.empty()) return no_samples();
  FeatureTable features{.columns = slow_down_features(samples[0].own, samples[0].others).size()};
  std::vector<float> labels;
  for (const SlowDownSample& one : samples) {
    features.add(slow_down_features(one.own, one.others));
    labels.push_back(static_cast<float>(std::log(one.slow_down)));
  }
  const std::vector<float> weights(labels.size(), 1.0f);
  OPBENCH_TRY(const RegressionTrees trees,
              fit_regression(features, labels, weights,
                             {.rounds = 150, .depth = 4, .eta = 0.1, .least_weight = 2}));
  const auto kept = std::make_shared<const RegressionTrees>(trees);
  return bounded([kept](const std::vector<float>& row) { return kept->predict(row); });
}

Result<std::vector<GroupMethod>> fit_group_methods(const std::vector<GroupSample>& groups) {
  const std::vector<SlowDownSample> samples = slow_down_samples(groups);
  OPBENCH_TRY(const GroupSlowDown linear, fit_linear_slow_down(samples));
  OPBENCH_TRY(const GroupSlowDown trees, fit_tree_slow_down(samples));
  const auto method = [](const char* name, const GroupSlowDown& slow_down) {
    return GroupMethod{name, [slow_down](const std::vector<GroupPart>& parts) {
                         return group_ms(parts, slow_down);
                       }};
  };
  return std::vector<GroupMethod>{method("linear", linear), method("trees", trees)};
}

}  // namespace opbench
