#include "prediction/interference/pair_forecast.h"

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

using Method = std::optional<double> (*)(const PairForecast&);

struct NamedMethod {
  const char* name;
  Method predict;
};

constexpr NamedMethod kMethods[] = {
    {"curve", [](const PairForecast& one) { return std::optional(one.curve); }},
    {"max", [](const PairForecast& one) { return std::optional(one.max); }},
    {"sum", [](const PairForecast& one) { return std::optional(one.sum); }},
    {"bandwidth share", [](const PairForecast& one) { return one.bandwidth_share; }},
};

ForecastErrors errors_of(const NamedMethod& method, const std::vector<JudgedForecast>& judged,
                         double threshold) {
  ForecastErrors result{.method = method.name};
  std::vector<double> errors;
  for (const JudgedForecast& one : judged) {
    const std::optional<double> predicted = method.predict(one.predicted);
    if (!predicted) continue;
    errors.push_back(std::abs(*predicted / one.measured.ratio - 1));
    const bool hurts = one.measured.ratio > threshold;
    const bool alarms = *predicted > threshold;
    result.hits += hurts && alarms ? 1 : 0;
    result.false_alarms += !hurts && alarms ? 1 : 0;
    result.misses += hurts && !alarms ? 1 : 0;
  }
  result.pairs = errors.size();
  if (errors.empty()) return result;
  result.mean_error = mean(errors);
  result.median_error = median(errors);
  result.worst_error = std::ranges::max(errors);
  return result;
}

std::optional<double> share(size_t part, size_t other) {
  if (part + other == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(part + other);
}

}  // namespace

std::optional<double> ForecastErrors::precision() const { return share(hits, false_alarms); }

std::optional<double> ForecastErrors::recall() const { return share(hits, misses); }

PairForecast forecast(const UnitPressure& unit, const UnitPressure& beside,
                      double peak_bytes_per_s) {
  PairForecast result;
  result.curve = unit.curve.at(beside.pressure);
  if (unit.bytes_per_s && beside.bytes_per_s && peak_bytes_per_s > 0) {
    const double demand = *unit.bytes_per_s + *beside.bytes_per_s;
    result.bandwidth_share = std::max(1.0, demand / peak_bytes_per_s);
  }
  return result;
}

std::vector<ForecastErrors> forecast_errors(const std::vector<JudgedForecast>& judged,
                                            double threshold) {
  std::vector<ForecastErrors> result;
  for (const NamedMethod& method : kMethods) {
    ForecastErrors errors = errors_of(method, judged, threshold);
    if (errors.pairs > 0) result.push_back(std::move(errors));
  }
  return result;
}

double noise_floor(const std::vector<JudgedForecast>& judged) {
  double sum = 0;
  for (const JudgedForecast& one : judged) {
    sum += (one.measured.interval.high - one.measured.interval.low) / 2 / one.measured.ratio;
  }
  return judged.empty() ? 0 : sum / static_cast<double>(judged.size());
}

size_t undecided(const std::vector<JudgedForecast>& judged, double threshold) {
  return static_cast<size_t>(std::ranges::count_if(judged, [&](const JudgedForecast& one) {
    return one.measured.interval.low <= threshold && threshold <= one.measured.interval.high;
  }));
}

}  // namespace opbench
