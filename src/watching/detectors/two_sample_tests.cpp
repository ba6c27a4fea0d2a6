#include "watching/detectors/two_sample_tests.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "watching/detectors/window_sums.h"

namespace opbench {
namespace {

struct Pooled {
  double value = 0;
  bool is_after = false;
};

std::vector<Pooled> pooled(std::span<const double> before, std::span<const double> after) {
  std::vector<Pooled> all;
  for (const double value : before) all.push_back({value, false});
  for (const double value : after) all.push_back({value, true});
  std::ranges::stable_sort(all, {}, &Pooled::value);
  return all;
}

}  // namespace

double student_test(std::span<const double> before, std::span<const double> after) {
  const MeanAndVariance a = mean_and_variance(before), b = mean_and_variance(after);
  const auto n = static_cast<double>(before.size()), m = static_cast<double>(after.size());
  const double variance = ((n - 1) * a.variance + (m - 1) * b.variance) / (n + m - 2);
  if (variance <= 0) return a.mean == b.mean ? 1 : 0;
  return student_p((b.mean - a.mean) / std::sqrt(variance * (1 / n + 1 / m)), n + m - 2);
}

double welch_test(std::span<const double> before, std::span<const double> after) {
  const double a = mean_and_variance(before).variance / static_cast<double>(before.size());
  const double b = mean_and_variance(after).variance / static_cast<double>(after.size());
  if (a + b <= 0) return 1;
  const double degrees = (a + b) * (a + b) /
                         (a * a / static_cast<double>(before.size() - 1) +
                          b * b / static_cast<double>(after.size() - 1));
  return student_p(welch_t(before, after), std::max(degrees, 1.0));
}

double mann_whitney_test(std::span<const double> before, std::span<const double> after) {
  const auto n = static_cast<double>(before.size()), m = static_cast<double>(after.size());
  double wins = 0;
  for (const double a : before) {
    for (const double b : after) wins += b > a ? 1 : b == a ? 0.5 : 0;
  }
  const double distance = std::max(0.0, std::abs(wins - n * m / 2) - 0.5);
  return normal_p(distance / std::sqrt(n * m * (n + m + 1) / 12));
}

double kolmogorov_smirnov_test(std::span<const double> before, std::span<const double> after) {
  const std::vector<Pooled> all = pooled(before, after);
  const auto n = static_cast<double>(before.size()), m = static_cast<double>(after.size());
  double a = 0, b = 0, most = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    (all[i].is_after ? b : a) += 1;
    if (i + 1 < all.size() && all[i + 1].value == all[i].value) continue;
    most = std::max(most, std::abs(a / n - b / m));
  }
  const double root = std::sqrt(n * m / (n + m));
  const double x = (root + 0.12 + 0.11 / root) * most;  // Stephens 1970
  double p = 0, sign = 1;
  for (int k = 1; k <= 50; ++k, sign = -sign) p += 2 * sign * std::exp(-2 * x * x * k * k);
  return std::clamp(x < 0.3 ? 1.0 : p, 0.0, 1.0);
}

double cramer_von_mises_test(std::span<const double> before, std::span<const double> after) {
  const std::vector<Pooled> all = pooled(before, after);
  const auto n = static_cast<double>(before.size()), m = static_cast<double>(after.size());
  double a = 0, b = 0, sum = 0;
  for (const Pooled& value : all) {
    (value.is_after ? b : a) += 1;
    const double difference = a / n - b / m;
    sum += difference * difference;
  }
  const double t = n * m / ((n + m) * (n + m)) * sum;
  // Scaled to the mean and variance of the limit (Anderson 1962), whose tail is exponential: 0.743
  // is its quantile 0.99.
  const double total = n + m;
  const double mean = (1 + 1 / total) / 6;
  const double variance = (total + 1) / (45 * total * total) *
                          (4 * n * m * total - 3 * (n * n + m * m) - 2 * n * m) / (4 * n * m);
  const double scaled = (t - mean) / std::sqrt(45 * variance) + 1.0 / 6;
  return std::min(1.0, 0.01 * std::exp(-4.93480 * (scaled - 0.743)));
}

}  // namespace opbench
