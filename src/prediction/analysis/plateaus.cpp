#include "prediction/analysis/plateaus.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "prediction/analysis/least_squares.h"
#include "prediction/analysis/segments.h"

namespace opbench {
namespace {

constexpr double kFlatSlope = 0.15;
constexpr double kLeastRise = 0.08;

struct Run {
  size_t begin = 0, end = 0;
  FittedLine line;
  bool is_flat() const { return std::fabs(line.slope) < kFlatSlope; }
};

/// −2 ln of the likelihood of a run with a noise of its own. Noise below 1 % counts as 1 %: a
/// plateau must not break where nobody feels it.
double cost_of(const FittedLine& line, size_t points) {
  constexpr double kLeastNoise = 0.01;
  const auto n = static_cast<double>(points);
  return n * std::log(std::max(line.squares / n, kLeastNoise * kLeastNoise));
}

/// The cheapest runs, each of kLeastSegment points at least, by dynamic programming.
std::vector<Run> runs_of(const Curve& curve, double least_gain) {
  const LineSums sums(abscissa_of(curve), log_times_of(curve));
  const size_t points = curve.size();
  // A run brings two numbers of its line, its noise and its begin.
  const double price = 4 * std::log(static_cast<double>(points)) + least_gain;
  std::vector<double> least(points + 1, std::numeric_limits<double>::infinity());
  std::vector<size_t> from(points + 1, 0);
  least[0] = 0;
  for (size_t end = kLeastSegment; end <= points; ++end) {
    for (size_t begin = 0; begin + kLeastSegment <= end; ++begin) {
      const double cost = least[begin] + cost_of(sums.through(begin, end), end - begin) + price;
      if (cost >= least[end]) continue;
      least[end] = cost;
      from[end] = begin;
    }
  }
  std::vector<Run> runs;
  for (size_t end = points; end > 0 && std::isfinite(least[points]); end = from[end]) {
    runs.insert(runs.begin(), Run{from[end], end, sums.through(from[end], end)});
  }
  return runs;
}

/// Where ln y passes half of the way between two plateaus.
double half_way(const Curve& curve, size_t last, size_t next, double middle, bool is_up) {
  for (size_t i = last; i < next; ++i) {
    const double a = std::log(curve[i].y);
    const double b = std::log(curve[i + 1].y);
    if ((is_up ? b < middle : b > middle) && i + 1 < next) continue;
    const double share = a == b ? 0.5 : std::clamp((middle - a) / (b - a), 0.0, 1.0);
    return curve[i].x * std::pow(curve[i + 1].x / curve[i].x, share);
  }
  return curve[next].x;
}

}  // namespace

std::vector<Rise> rises_of(const Curve& curve, double least_gain) {
  const std::vector<double> x = abscissa_of(curve);
  std::vector<Rise> rises;
  const std::vector<Run> runs = runs_of(curve, least_gain);
  const Run* before = nullptr;
  for (const Run& run : runs) {
    if (!run.is_flat()) continue;
    const Run* const plateau = before;
    before = &run;
    if (plateau == nullptr) continue;
    const double low = plateau->line.at(x[plateau->end - 1]);
    const double high = run.line.at(x[run.begin]);
    if (std::fabs(high - low) < kLeastRise) continue;
    const double at = half_way(curve, plateau->end - 1, run.begin, (low + high) / 2, high > low);
    rises.push_back(
        {curve[plateau->end - 1].x, curve[run.begin].x, at, std::exp(low), std::exp(high)});
  }
  return rises;
}

}  // namespace opbench
