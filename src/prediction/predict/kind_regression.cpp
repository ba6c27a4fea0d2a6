#include "prediction/predict/kind_regression.h"

#include <algorithm>

#include "prediction/few_shot/non_negative.h"

namespace opbench {
namespace {

double kind_regression_median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::array<double, 4> terms_of(const UnitFeatures& features) {
  const KernelWork& work = features.work;
  return {1, work.flops, work.footprint() - work.weight_bytes, work.weight_bytes};
}

/// By kind, each unit as often as the models run it; without models once.
std::map<std::string, double> seconds_by_kind(const SampleSet& samples) {
  std::map<std::string, double> seconds;
  const auto add = [&](size_t unit, double count) {
    const UnitSample& sample = samples.units[unit];
    if (sample.in_model_s) seconds[sample.features.kind] += *sample.in_model_s * count;
  };
  for (const ModelSample& model : samples.models) {
    for (const auto& [unit, count] : model.units) add(unit, static_cast<double>(count));
  }
  if (!samples.models.empty()) return seconds;
  for (size_t i = 0; i < samples.units.size(); ++i) add(i, 1);
  return seconds;
}

}  // namespace

KindRegression::KindRegression(const SampleSet& samples)
    : kinds_(kind_shares(seconds_by_kind(samples))) {
  std::map<std::string, Samples> by_kind;
  std::vector<double> all;
  for (const UnitSample& unit : samples.units) {
    if (!unit.in_model_s) continue;
    by_kind[unit.features.kind].push_back(&unit);
    all.push_back(*unit.in_model_s);
  }
  median_s_ = kind_regression_median_of(std::move(all));
  for (const auto& [kind, units] : by_kind) {
    const auto share = std::ranges::find(kinds_, kind, &KindShare::kind);
    if (share != kinds_.end() && share->is_heavy) {
      rates_[kind] = rates_of(units);
      continue;
    }
    std::vector<double> times;
    for (const UnitSample* unit : units) times.push_back(*unit->in_model_s);
    rates_[kind] = {kind_regression_median_of(std::move(times)), 0, 0, 0};
  }
}

// The squares of relative errors are made least: times of one kind differ by orders of magnitude.
// Columns are scaled to a largest value of 1, as FLOPs and calls do as well.
KindRegression::Rates KindRegression::rates_of(const Samples& samples) {
  constexpr size_t kTerms = std::tuple_size_v<Rates>;
  DenseMatrix terms(samples.size(), kTerms);
  const std::vector<double> ones(samples.size(), 1);
  Rates scales = {};
  for (size_t row = 0; row < samples.size(); ++row) {
    const Rates of_row = terms_of(samples[row]->features);
    for (size_t i = 0; i < kTerms; ++i) {
      terms.at(row, i) = of_row[i] / *samples[row]->in_model_s;
      scales[i] = std::max(scales[i], terms.at(row, i));
    }
  }
  for (size_t row = 0; row < samples.size(); ++row) {
    for (size_t i = 0; i < kTerms; ++i) {
      if (scales[i] > 0) terms.at(row, i) /= scales[i];
    }
  }
  const std::vector<double> weights = non_negative_weights(terms, ones);
  Rates rates = {};
  for (size_t i = 0; i < kTerms; ++i) {
    if (scales[i] > 0) rates[i] = weights[i] / scales[i];
  }
  return rates;
}

double KindRegression::unit_s(const UnitFeatures& features) const {
  const auto rates = rates_.find(features.kind);
  if (rates == rates_.end()) return median_s_;
  const Rates terms = terms_of(features);
  double seconds = 0;
  for (size_t i = 0; i < terms.size(); ++i) seconds += rates->second[i] * terms[i];
  return seconds > 0 ? seconds : median_s_;
}

}  // namespace opbench
