#include "opbench/measure/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "opbench/base/random.h"

namespace opbench {
namespace {

constexpr double kNormalQuantile = 1.959964;
/// Standard error of the median of normal values over that of their mean: sqrt(pi / 2).
constexpr double kMedianFactor = 1.253314;

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::ranges::sort(copy);
  return copy;
}

double median_in_place(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double quantile_of_sorted(const std::vector<double>& values, double p) {
  if (values.empty()) return 0;
  const double position = std::clamp(p, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

/// The largest k with P(B <= k) <= 2.5 % for B binomial(n, 1/2), or -1 if there is none: then the
/// order statistics [k] and [n-1-k], counted from 0, enclose the median with at least 95 %.
int lower_rank(size_t n) {
  double log_term = -static_cast<double>(n) * std::log(2.0);
  double sum = std::exp(log_term);
  int k = -1;
  while (sum <= 0.025) {
    ++k;
    log_term += std::log(static_cast<double>(n) - k) - std::log(k + 1.0);
    sum += std::exp(log_term);
  }
  return k;
}

/// Carlstein's block length for a first-order autoregression, (2 r / (1 - r²))^(2/3) n^(1/3), with
/// r freed of its bias (1 + 4 r) / n (Kendall 1954) and doubled, since his minimises the error of
/// the variance and percentiles want longer blocks; not above a quarter of the series.
size_t block_length(size_t count, double autocorrelation) {
  const auto n = static_cast<double>(count);
  const double unbiased = autocorrelation + (1 + 4 * autocorrelation) / n;
  const double r = std::min(std::abs(unbiased), 0.95);
  const double length = 2 * std::pow(2 * r / (1 - r * r), 2.0 / 3) * std::cbrt(n);
  const auto limit = static_cast<double>(std::max<size_t>(1, count / 4));
  return static_cast<size_t>(std::clamp(std::ceil(length), 1.0, limit));
}

/// P times the variance of the median of P normal values of variance 1 (order statistics tables,
/// Harter 1961); pi/2 in the limit.
double median_variance_factor(size_t count) {
  constexpr std::array<double, 8> kFactors = {1, 1, 1, 1.346, 1.193, 1.434, 1.288, 1.473};
  return count < kFactors.size() ? kFactors.at(count) : 1.5;
}

double square(double x) { return x * x; }

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return median_in_place(copy);
}

double quantile(std::span<const double> values, double p) {
  return quantile_of_sorted(sorted(values), p);
}

double median_absolute_deviation(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double x : values) distances.push_back(std::abs(x - centre));
  return median_in_place(distances);
}

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double sum = 0;
  for (const double x : values) sum += square(x - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double lag1_autocorrelation(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const double centre = mean(values);
  double products = 0;
  double squares = square(values.back() - centre);
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    products += (values[i] - centre) * (values[i + 1] - centre);
    squares += square(values[i] - centre);
  }
  return squares > 0 ? products / squares : 0;
}

double effective_sample_size(std::span<const double> values) {
  if (values.empty()) return 0;
  const auto n = static_cast<double>(values.size());
  const double r = lag1_autocorrelation(values);
  return r <= -1 ? n : std::clamp(n * (1 - r) / (1 + r), 1.0, n);
}

double student_quantile(double degrees) {
  constexpr std::array<std::pair<double, double>, 16> kTable = {{{1, 12.706},
                                                                 {1.25, 8.004},
                                                                 {1.5, 6.012},
                                                                 {2, 4.303},
                                                                 {2.5, 3.558},
                                                                 {3, 3.182},
                                                                 {4, 2.776},
                                                                 {5, 2.571},
                                                                 {6, 2.447},
                                                                 {8, 2.306},
                                                                 {10, 2.228},
                                                                 {15, 2.131},
                                                                 {20, 2.086},
                                                                 {30, 2.042},
                                                                 {60, 2.000},
                                                                 {120, 1.980}}};
  if (degrees <= kTable.front().first) return kTable.front().second;
  double x = 0;  // 1/degrees of the neighbour above, which is infinity behind the table
  double y = kNormalQuantile;
  for (size_t i = kTable.size(); i-- > 0;) {
    const double lower_x = 1 / kTable.at(i).first;
    if (1 / degrees <= lower_x) {
      return y + (kTable.at(i).second - y) * (1 / degrees - x) / (lower_x - x);
    }
    x = lower_x;
    y = kTable.at(i).second;
  }
  return y;
}

Interval order_statistic_interval(std::span<const double> values) {
  if (values.empty()) return {};
  const std::vector<double> ordered = sorted(values);
  const int k = lower_rank(ordered.size());
  if (k >= 0) {
    const auto rank = static_cast<size_t>(k);
    return {ordered[rank], ordered[ordered.size() - 1 - rank]};
  }
  const double centre = quantile_of_sorted(ordered, 0.5);
  if (ordered.size() == 1) return {centre, centre};
  const auto n = static_cast<double>(ordered.size());
  const double half =
      student_quantile(n - 1) * kMedianFactor * standard_deviation(ordered) / std::sqrt(n);
  return {centre - half, centre + half};
}

Interval block_bootstrap_interval(std::span<const double> values, uint64_t seed, int resamples) {
  const size_t n = values.size();
  if (n < 4) return order_statistic_interval(values);
  const size_t length = block_length(n, lag1_autocorrelation(values));
  Random random(seed);
  std::vector<double> medians;
  std::vector<double> series;
  for (int i = 0; i < resamples; ++i) {
    series.clear();
    while (series.size() < n) {
      const size_t start = random.below(n);
      for (size_t j = 0; j < length && series.size() < n; ++j) {
        series.push_back(values[(start + j) % n]);
      }
    }
    medians.push_back(median_in_place(series));
  }
  std::ranges::sort(medians);
  const double centre = median(values);
  const double blocks = static_cast<double>(n) / static_cast<double>(length);
  const double widening =
      student_quantile(blocks - 1) / kNormalQuantile * std::sqrt(blocks / (blocks - 1));
  const double low = std::min(quantile_of_sorted(medians, 0.025), centre);
  const double high = std::max(quantile_of_sorted(medians, 0.975), centre);
  return {centre - widening * (centre - low), centre + widening * (high - centre)};
}

Interval median_interval(std::span<const double> values, uint64_t seed) {
  const double limit = 2 / std::sqrt(static_cast<double>(std::max<size_t>(values.size(), 1)));
  if (std::abs(lag1_autocorrelation(values)) < limit) return order_statistic_interval(values);
  return block_bootstrap_interval(values, seed);
}

Estimate estimate_over_groups(const std::vector<std::vector<double>>& groups, uint64_t seed) {
  std::vector<double> medians;
  double below = 0;  // sums of the variances of the groups' medians, a side
  double above = 0;
  Interval only;
  for (const std::vector<double>& group : groups) {
    if (group.empty()) continue;
    only = median_interval(group, seed);
    medians.push_back(median(group));
    below += square((medians.back() - only.low) / kNormalQuantile);
    above += square((only.high - medians.back()) / kNormalQuantile);
  }
  if (medians.empty()) return {};
  const double centre = median(medians);
  if (medians.size() == 1) return {centre, only};
  const auto count = static_cast<double>(medians.size());
  const double spread = square(standard_deviation(medians));
  const double within = (below + above) / 2 / count;
  const double between = spread > within ? (spread - within) / spread : 0;
  const double degrees = between > 0 ? (count - 1) / square(between) : 1e9;
  const double factor =
      student_quantile(degrees) * std::sqrt(median_variance_factor(medians.size()) / count);
  const auto side = [&](double sum) { return factor * std::sqrt(std::max(spread, sum / count)); };
  return {centre, {centre - side(below), centre + side(above)}};
}

}  // namespace opbench
