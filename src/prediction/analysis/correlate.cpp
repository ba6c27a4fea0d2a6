#include "prediction/analysis/correlate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "base/numbers/random.h"
#include "prediction/analysis/distance_correlation.h"
#include "prediction/analysis/mutual_information.h"
#include "prediction/analysis/ranks.h"

namespace opbench {
namespace {

constexpr size_t kBins = 10;
constexpr size_t kMostValues = 16;  // up to so many, each has a bin of its own
constexpr size_t kLeastRows = 8;
constexpr size_t kLeastToDrop = 30;  // fewer rows may hide a dependence

size_t most_bins(size_t distinct) { return distinct <= kMostValues ? kMostValues : kBins; }

/// The rows that have a factor.
struct Series {
  std::vector<double> x, y;
};

Series series_of(const Factor& factor, const std::vector<double>& log_times) {
  Series series;
  for (size_t i = 0; i < log_times.size(); ++i) {
    if (std::isnan(factor.values[i])) continue;
    series.x.push_back(factor.values[i]);
    series.y.push_back(log_times[i]);
  }
  return series;
}

Series sample_of(const Series& series, size_t most, Random& random) {
  if (series.x.size() <= most) return series;
  std::vector<size_t> chosen = random.shuffled(series.x.size());
  chosen.resize(most);
  std::ranges::sort(chosen);
  Series sample;
  for (const size_t i : chosen) {
    sample.x.push_back(series.x[i]);
    sample.y.push_back(series.y[i]);
  }
  return sample;
}

/// The share of permutations whose measure is as large; ends once ten are (Besag and Clifford
/// 1991).
template <class Measure>
Dependence tested(const Measure& measure, size_t count, int permutations, Random& random) {
  constexpr int kEnough = 10;
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  Dependence dependence{.value = measure(order)};
  int as_large = 0, drawn = 0;
  while (drawn < permutations && as_large < kEnough) {
    ++drawn;
    if (measure(random.shuffled(count)) >= dependence.value) ++as_large;
  }
  dependence.chance = as_large >= kEnough ? static_cast<double>(as_large) / drawn
                                          : (as_large + 1.0) / (drawn + 1.0);
  return dependence;
}

void add_correlations(const Series& series, FactorCorrelation& result) {
  std::vector<double> x = series.x;
  const bool is_log = std::ranges::all_of(x, [](double value) { return value > 0; });
  if (is_log) {
    for (double& value : x) value = std::log(value);
  }
  const auto dependence = [&](double value) {
    return Dependence{.value = value, .chance = chance_of_correlation(value, x.size())};
  };
  result.pearson = dependence(pearson(x, series.y));
  result.spearman = dependence(spearman(series.x, series.y));
  if (!is_log) return;
  const auto spread = [](const std::vector<double>& values) {
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares);
  };
  result.elasticity = result.pearson->value * spread(series.y) / spread(x);
}

void add_tests(const Series& sample, bool is_numeric, const CorrelationOptions& options,
               Random& random, FactorCorrelation& result) {
  const size_t count = sample.x.size();
  if (is_numeric) {
    const DistanceCorrelation distance(sample.x, sample.y);
    result.distance = tested([&](const std::vector<size_t>& order) { return distance.of(order); },
                             count, options.permutations, random);
  }
  const size_t most = is_numeric ? most_bins(result.distinct) : count;
  const std::vector<size_t> x = bins_of(sample.x, most);
  const std::vector<size_t> y = bins_of(sample.y, kBins);
  result.information =
      tested([&](const std::vector<size_t>& order) { return mutual_information(x, y, order); },
             count, options.permutations, random);
}

FactorCorrelation measured(const Factor& factor, const std::vector<double>& log_times,
                           const CorrelationOptions& options) {
  FactorCorrelation result{.factor = factor.name};
  const Series series = series_of(factor, log_times);
  result.rows = series.x.size();
  result.distinct = std::set<double>(series.x.begin(), series.x.end()).size();
  if (result.distinct <= 1 || result.rows < kLeastRows) {
    if (result.distinct <= 1 && result.rows > 1) result.verdict = FactorVerdict::kNotVaried;
    return result;
  }
  result.verdict = FactorVerdict::kIndependent;
  // A stream of its own, so that a factor's chances do not depend on the others.
  Random random(options.seed, factor.name);
  if (factor.is_numeric()) add_correlations(series, result);
  add_tests(sample_of(series, options.most_rows, random), factor.is_numeric(), options, random,
            result);
  const size_t most = factor.is_numeric() ? most_bins(result.distinct) : factor.words.size();
  result.shape = shape_of(series.x, bins_of(series.x, most), series.y);
  for (const FactorBin& bin : result.shape.bins) {
    if (!factor.is_numeric()) result.words.push_back(factor.words[static_cast<size_t>(bin.low)]);
  }
  return result;
}

std::array<std::optional<Dependence>*, 4> measures_of(FactorCorrelation& factor) {
  return {&factor.pearson, &factor.spearman, &factor.distance, &factor.information};
}

void correct(std::vector<FactorCorrelation>& factors) {
  std::vector<Dependence*> tests;
  std::vector<double> chances;
  for (FactorCorrelation& factor : factors) {
    for (std::optional<Dependence>* measure : measures_of(factor)) {
      if (!*measure) continue;
      tests.push_back(&**measure);
      chances.push_back((*measure)->chance);
    }
  }
  const std::vector<double> corrected = corrected_chances(chances);
  for (size_t i = 0; i < tests.size(); ++i) tests[i]->corrected = corrected[i];
}

bool is_clear(const std::optional<Dependence>& dependence, double level) {
  return dependence && dependence->corrected <= level;
}

FactorVerdict verdict_of(const FactorCorrelation& factor, double level) {
  const bool depends = is_clear(factor.distance, level) || is_clear(factor.information, level) ||
                       is_clear(factor.spearman, level);
  if (!depends) {
    return factor.rows < kLeastToDrop ? FactorVerdict::kTooFew : FactorVerdict::kIndependent;
  }
  if (!factor.distance) return FactorVerdict::kWords;
  const double rho = factor.spearman->value;
  const bool is_ranked =
      is_clear(factor.spearman, level) || std::fabs(rho) > factor.distance->value / 2;
  // All rows and the bins must name the same bound, and that bound must not be slower.
  const bool agrees = (rho < 0) == factor.shape.falls && !is_slow_at_bound(factor.shape);
  const bool is_monotone = is_ranked && agrees && !turns(factor.shape);
  return is_monotone ? FactorVerdict::kMonotone : FactorVerdict::kTurning;
}

}  // namespace

std::string_view name_of(FactorVerdict verdict) {
  constexpr std::array<std::string_view, 6> kNames = {
      "not-varied", "too-few-rows", "monotone", "not-monotone", "depends", "no-dependence"};
  return kNames.at(static_cast<size_t>(verdict));
}

CorrelationTable correlate(const FactorTimes& times, const CorrelationOptions& options) {
  CorrelationTable table{.rows = times.log_times.size()};
  table.sampled = std::min(table.rows, options.most_rows);
  for (const Factor& factor : times.factors) {
    table.factors.push_back(measured(factor, times.log_times, options));
  }
  correct(table.factors);
  for (FactorCorrelation& factor : table.factors) {
    if (factor.verdict == FactorVerdict::kIndependent) {
      factor.verdict = verdict_of(factor, options.level);
    }
  }
  return table;
}

}  // namespace opbench
