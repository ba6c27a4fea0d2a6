#include "prediction/analysis/ranks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace opbench {
namespace {

std::vector<size_t> ranks_order_of(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i]; });
  return order;
}

double mean_of_span(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<double> ranks_of(std::span<const double> values) {
  const std::vector<size_t> order = ranks_order_of(values);
  std::vector<double> ranks(values.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = static_cast<double>(begin + end + 1) / 2;
    for (; begin < end; ++begin) ranks[order[begin]] = rank;
  }
  return ranks;
}

double pearson(std::span<const double> x, std::span<const double> y) {
  if (x.empty()) return 0;
  const double x_mean = mean_of_span(x);
  const double y_mean = mean_of_span(y);
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    yy += (y[i] - y_mean) * (y[i] - y_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
  }
  const double product = xx * yy;
  return product > 0 ? std::clamp(xy / std::sqrt(product), -1.0, 1.0) : 0;
}

double spearman(std::span<const double> x, std::span<const double> y) {
  return pearson(ranks_of(x), ranks_of(y));
}

double chance_of_correlation(double correlation, size_t count) {
  if (count < 4) return 1;
  if (std::fabs(correlation) >= 1) return 0;
  const double z = std::atanh(correlation) * std::sqrt(static_cast<double>(count) - 3);
  return std::erfc(std::fabs(z) / std::numbers::sqrt2);
}

std::vector<double> corrected_chances(std::span<const double> chances) {
  const std::vector<size_t> order = ranks_order_of(chances);
  std::vector<double> corrected(chances.size());
  double least = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const double scaled =
        chances[order[i]] * static_cast<double>(order.size()) / static_cast<double>(i + 1);
    least = std::min(least, scaled);
    corrected[order[i]] = least;
  }
  return corrected;
}

}  // namespace opbench
