#include "prediction/analysis/distance_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace opbench {
namespace {

std::vector<size_t> distance_correlation_order_of(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i]; });
  return order;
}

/// Mean 0 and variance 1, so that sums of products keep their digits.
std::vector<double> standardised(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double scale = squares > 0 ? std::sqrt(n / squares) : 0;
  std::vector<double> result;
  for (const double value : values) result.push_back((value - mean) * scale);
  return result;
}

/// For each value the sum of its distances to all others.
std::vector<double> distance_sums(const std::vector<double>& values) {
  const std::vector<size_t> order = distance_correlation_order_of(values);
  const auto n = static_cast<double>(values.size());
  const double all = std::accumulate(values.begin(), values.end(), 0.0);
  std::vector<double> sums(values.size());
  double before = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const double value = values[order[i]];
    const auto count = static_cast<double>(i);
    sums[order[i]] = value * count - before + (all - before) - value * (n - count);
    before += value;
  }
  return sums;
}

/// n² times the squared distance covariance, from the sum of the products of distances.
double covariance(double products, const std::vector<double>& a, const std::vector<double>& b,
                  double crossed) {
  const auto n = static_cast<double>(a.size());
  const double a_all = std::accumulate(a.begin(), a.end(), 0.0);
  const double b_all = std::accumulate(b.begin(), b.end(), 0.0);
  return products + a_all * b_all / (n * n) - 2 * crossed / n;
}

double distance_variance(const std::vector<double>& values, const std::vector<double>& sums) {
  const auto n = static_cast<double>(values.size());
  double squares = 0, total = 0, crossed = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    squares += values[i] * values[i];
    total += values[i];
    crossed += sums[i] * sums[i];
  }
  return covariance(2 * n * squares - 2 * total * total, sums, sums, crossed);
}

/// Counts and sums over ranks, added to and asked for in O(log n) (Fenwick 1994).
class RankSums {
 public:
  explicit RankSums(size_t ranks) : sums_(ranks + 1) {}

  struct Sums {
    double count = 0, x = 0, y = 0, xy = 0;
  };

  void add(size_t rank, double x, double y) {
    for (; rank < sums_.size(); rank += rank & (~rank + 1)) {
      Sums& sums = sums_[rank];
      sums.count += 1;
      sums.x += x;
      sums.y += y;
      sums.xy += x * y;
    }
  }

  Sums up_to(size_t rank) const {
    Sums all;
    for (; rank > 0; rank -= rank & (~rank + 1)) {
      all.count += sums_[rank].count;
      all.x += sums_[rank].x;
      all.y += sums_[rank].y;
      all.xy += sums_[rank].xy;
    }
    return all;
  }

 private:
  std::vector<Sums> sums_;
};

/// Σ (x - x_i)(y - y_i) over what is summed.
double product_sum(const RankSums::Sums& sums, double x, double y) {
  return x * y * sums.count - x * sums.y - y * sums.x + sums.xy;
}

}  // namespace

DistanceCorrelation::DistanceCorrelation(std::span<const double> x, std::span<const double> y)
    : y_(standardised(y)) {
  const std::vector<double> given = standardised(x);
  place_ = distance_correlation_order_of(given);
  for (const size_t place : place_) x_.push_back(given[place]);
  y_rank_.resize(y_.size());
  const std::vector<size_t> order = distance_correlation_order_of(y_);
  for (size_t i = 0; i < order.size(); ++i) y_rank_[order[i]] = i + 1;
  x_distances_ = distance_sums(x_);
  y_distances_ = distance_sums(y_);
  const double product = distance_variance(x_, x_distances_) * distance_variance(y_, y_distances_);
  scale_ = product > 0 ? std::sqrt(product) : 0;
}

double DistanceCorrelation::of(std::span<const size_t> order) const {
  if (scale_ <= 0) return 0;
  RankSums before(y_.size());
  RankSums::Sums all;
  double products = 0, crossed = 0;
  for (size_t i = 0; i < x_.size(); ++i) {
    const size_t at = order[place_[i]];
    const double x = x_[i];
    const double y = y_[at];
    // Those with a smaller y count as they are, the others with the opposite sign.
    const RankSums::Sums below = before.up_to(y_rank_[at]);
    products += 2 * product_sum(below, x, y) - product_sum(all, x, y);
    crossed += x_distances_[i] * y_distances_[at];
    before.add(y_rank_[at], x, y);
    all.count += 1;
    all.x += x;
    all.y += y;
    all.xy += x * y;
  }
  const double squared = covariance(2 * products, x_distances_, y_distances_, crossed) / scale_;
  return std::sqrt(std::clamp(squared, 0.0, 1.0));
}

double DistanceCorrelation::value() const {
  std::vector<size_t> order(y_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  return of(order);
}

}  // namespace opbench
