#include "prediction/analysis/factor_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "measuring/results/statistics.h"
#include "prediction/analysis/isotonic.h"
#include "prediction/analysis/mutual_information.h"

namespace opbench {
namespace {

constexpr double kLeastSize = 0.03;  ///< of a difference that matters, as a share of the time

struct Moments {
  std::vector<double> means, counts;
  double within = 0;  ///< variance of a row about its bin's mean
  double total = 0;   ///< variance of all rows
};

Moments moments_of(const std::vector<std::vector<double>>& times) {
  Moments moments;
  double sum = 0, count = 0, squares = 0;
  for (const std::vector<double>& bin : times) {
    double own = 0;
    for (const double time : bin) own += time;
    const auto size = static_cast<double>(bin.size());
    moments.means.push_back(own / size);
    moments.counts.push_back(size);
    for (const double time : bin) {
      squares += (time - moments.means.back()) * (time - moments.means.back());
    }
    sum += own;
    count += size;
  }
  double all = squares;
  for (size_t i = 0; i < times.size(); ++i) {
    const double apart = moments.means[i] - sum / count;
    all += moments.counts[i] * apart * apart;
  }
  const double free = count - static_cast<double>(times.size());
  moments.within = free > 0 ? squares / free : 0;
  moments.total = count > 1 ? all / (count - 1) : 0;
  return moments;
}

/// What the smaller of the two sides of a turn amounts to.
double smaller_side(const std::vector<double>& values) {
  const auto [least, greatest] = std::ranges::minmax(values);
  const double first = values.front();
  const double last = values.back();
  const double valley = std::min(first, last) - least;
  const double peak = greatest - std::max(first, last);
  return std::max(valley, peak);
}

void set_turn(const Moments& moments, FactorShape& shape) {
  const MonotoneFit rise = rising_fit(moments.means, moments.counts);
  const MonotoneFit fall = falling_fit(moments.means, moments.counts);
  const MonotoneFit valley = valley_fit(moments.means, moments.counts);
  const MonotoneFit peak = peak_fit(moments.means, moments.counts);
  shape.falls = fall.squares < rise.squares;
  const MonotoneFit& turned = valley.squares < peak.squares ? valley : peak;
  const double saved = std::min(rise.squares, fall.squares) - turned.squares;
  constexpr double kLeastVariance = 1e-8;  // 0.01 % of the time
  shape.turn_gain = saved / std::max(moments.within, kLeastVariance);
  shape.turn_size = std::expm1(smaller_side(turned.values));
}

/// Of medians of so many rows; that of a median is larger than a mean's by the root of pi / 2.
void set_bound(const Moments& moments, FactorShape& shape) {
  constexpr double kOfMedian = 1.2533;
  shape.bound = shape.falls ? shape.bins.size() - 1 : 0;
  shape.bound_loss = std::expm1(shape.bins[shape.bound].median - shape.bins[shape.fastest].median);
  const double counts = 1 / moments.counts[shape.bound] + 1 / moments.counts[shape.fastest];
  shape.bound_error = kOfMedian * std::sqrt(moments.within * counts);
}

}  // namespace

FactorShape shape_of(std::span<const double> values, std::span<const size_t> bins,
                     std::span<const double> log_times) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  FactorShape shape;
  std::vector<std::vector<double>> times(bin_count(bins));
  shape.bins.assign(times.size(), {.low = kUnbounded, .high = -kUnbounded});
  for (size_t i = 0; i < bins.size(); ++i) {
    FactorBin& bin = shape.bins[bins[i]];
    bin.low = std::min(bin.low, values[i]);
    bin.high = std::max(bin.high, values[i]);
    ++bin.rows;
    times[bins[i]].push_back(log_times[i]);
  }
  if (times.empty()) return shape;
  for (size_t i = 0; i < times.size(); ++i) {
    shape.bins[i].lower = quantile(times[i], 0.25);
    shape.bins[i].median = quantile(times[i], 0.5);
    shape.bins[i].upper = quantile(times[i], 0.75);
  }
  const auto [least, greatest] = std::ranges::minmax_element(shape.bins, {}, &FactorBin::median);
  shape.fastest = static_cast<size_t>(least - shape.bins.begin());
  shape.effect = std::expm1(greatest->median - least->median);
  const Moments moments = moments_of(times);
  if (moments.total > 0) shape.share = std::max(0.0, 1 - moments.within / moments.total);
  set_turn(moments, shape);
  set_bound(moments, shape);
  return shape;
}

bool turns(const FactorShape& shape) {
  constexpr double kLeastGain = 10;
  return shape.turn_gain >= kLeastGain && shape.turn_size >= kLeastSize;
}

bool is_fast_at_bound(const FactorShape& shape) { return shape.bound_loss < kLeastSize; }

bool is_slow_at_bound(const FactorShape& shape) {
  constexpr double kClear = 3;  // standard errors: the fastest of several bins is so by chance too
  return !is_fast_at_bound(shape) && std::log1p(shape.bound_loss) > kClear * shape.bound_error;
}

}  // namespace opbench
