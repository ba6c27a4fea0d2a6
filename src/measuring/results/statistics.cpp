#include "measuring/results/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/numbers/random.h"

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

/// Sums of the variances of the groups' medians, as seen below them and above.
struct Sides {
  double below = 0, above = 0;
};

/// The variance is k/P max(s², w), as estimate_over_groups says.
Estimate estimate_of_medians(const std::vector<double>& medians, const Sides& within) {
  if (medians.empty()) return {};
  const double centre = median(medians);
  const auto count = static_cast<double>(medians.size());
  const double spread = square(standard_deviation(medians));
  const double mean_within = (within.below + within.above) / 2 / count;
  const double between = spread > mean_within ? (spread - mean_within) / spread : 0;
  const double degrees = between > 0 ? (count - 1) / square(between) : 1e9;
  const double scale = std::sqrt(median_variance_factor(medians.size()) / count);
  const double factor = student_quantile(degrees) * scale;
  const auto side = [&](double sum) { return factor * std::sqrt(std::max(spread, sum / count)); };
  const Interval interval{centre - side(within.below), centre + side(within.above)};
  return {centre, interval, scale * std::sqrt(std::max(spread, mean_within)), degrees};
}

Estimate estimate_of_one_group(double centre, const Interval& interval, size_t count) {
  if (count < 2) return {centre, interval};
  const double degrees = static_cast<double>(count) - 1;
  const double error = (interval.high - interval.low) / 2 / student_quantile(degrees);
  return {centre, interval, error, degrees};
}

/// The continued fraction of the incomplete beta function, DLMF 8.17.22, evaluated from its front
/// by Lentz's method (1976) as changed by Thompson and Barnett (1986).
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  constexpr double kEnough = 1e-15;
  constexpr int kSteps = 10000;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m <= kSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 / away_from_zero(1 + term * d);
      c = away_from_zero(1 + term / c);
      change = c * d;
      value *= change;
    }
    if (std::abs(change - 1) < kEnough) break;
  }
  return value;
}

/// The regularised incomplete beta function I_x(a, b), with y = 1 - x given as well, since either
/// may be too small to follow from the other.
double incomplete_beta(double x, double y, double a, double b) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(y, x, b, a);
  const double log_x = x < 0.5 ? std::log(x) : std::log1p(-y);
  const double log_y = y < 0.5 ? std::log(y) : std::log1p(-x);
  const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  return std::exp(a * log_x + b * log_y - log_beta) / a * beta_fraction(x, a, b);
}

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

double student_cdf(double t, double degrees) {
  // From here on the normal distribution differs by less than the rounding of lgamma.
  constexpr double kNormalDegrees = 1e8;
  if (degrees > kNormalDegrees) return std::erfc(-t / std::sqrt(2.0)) / 2;
  const double sum = degrees + square(t);
  const double tail = incomplete_beta(degrees / sum, square(t) / sum, degrees / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

double student_critical(double tail, double degrees) {
  double low = 0;
  double high = 1;
  while (student_cdf(-high, degrees) > tail && high < 1e300) high *= 2;
  while (high - low > 1e-10 * high) {
    const double middle = (low + high) / 2;
    (student_cdf(-middle, degrees) > tail ? low : high) = middle;
  }
  return (low + high) / 2;
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
  Sides within;
  Interval only;
  size_t only_count = 0;
  for (const std::vector<double>& group : groups) {
    if (group.empty()) continue;
    only = median_interval(group, seed);
    only_count = group.size();
    medians.push_back(median(group));
    within.below += square((medians.back() - only.low) / kNormalQuantile);
    within.above += square((only.high - medians.back()) / kNormalQuantile);
  }
  if (medians.size() == 1) return estimate_of_one_group(medians.front(), only, only_count);
  return estimate_of_medians(medians, within);
}

Estimate estimate_over_like_groups(const std::vector<std::vector<double>>& groups, uint64_t seed) {
  std::vector<double> medians;
  std::vector<double> values;
  std::vector<double> residuals;
  double inverse_sizes = 0;
  double squared_sizes = 0;
  for (const std::vector<double>& group : groups) {
    if (group.empty()) continue;
    medians.push_back(median(group));
    values.insert(values.end(), group.begin(), group.end());
    const auto n = static_cast<double>(group.size());
    inverse_sizes += 1 / n;
    squared_sizes += n * n;
    if (group.size() < 2) continue;
    for (const double x : group) {
      residuals.push_back((x - medians.back()) * std::sqrt(n / (n - 1)));
    }
  }
  if (medians.size() < 2) return estimate_over_groups(groups, seed);
  const Interval all = median_interval(residuals, seed);
  const Sides within{square(std::min(all.low, 0.0) / kNormalQuantile),
                     square(std::max(all.high, 0.0) / kNormalQuantile)};
  const auto count = static_cast<double>(medians.size());
  const auto total = static_cast<double>(values.size());
  const double mean_within = (within.below + within.above) / 2;
  const double of_a_median =
      mean_within * static_cast<double>(residuals.size()) * inverse_sizes / count;
  const double between = std::max(0.0, square(standard_deviation(medians)) - of_a_median);
  const double shared =
      between * median_variance_factor(medians.size()) * squared_sizes / square(total);
  const double variance = mean_within + shared;
  const double degrees = shared > 0 ? (count - 1) / square(shared / variance) : 1e9;
  const double factor = student_quantile(degrees);
  const double centre = median(values);
  const Interval interval{centre - factor * std::sqrt(within.below + shared),
                          centre + factor * std::sqrt(within.above + shared)};
  return {centre, interval, std::sqrt(variance), degrees};
}

}  // namespace opbench
