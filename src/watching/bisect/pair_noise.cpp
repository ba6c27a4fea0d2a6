#include "watching/bisect/pair_noise.h"

#include <algorithm>
#include <cmath>

#include "measuring/results/statistics.h"
#include "watching/detectors/robust_sd.h"

namespace opbench {
namespace {

constexpr double kFewestNoise = 0.0005;  // 0.05 %: clocks and rounding
constexpr double kClip = 3;              // deviations

}  // namespace

double pair_noise(const std::vector<std::span<const double>>& sets) {
  std::vector<double> deviations;
  double degrees = 0;
  for (const std::span<const double> set : sets) {
    if (set.size() < 2) continue;
    const double centre = mean(set);
    const double middle = median(set);
    // A mean of few follows an outlier among them.
    const double from = set.size() < 8 ? centre : middle;
    for (const double value : set) deviations.push_back(value - from);
    degrees += static_cast<double>(set.size()) - 1;
  }
  if (degrees < 1) return kFewestNoise;
  const double most =
      std::max(kFewestNoise, kDeviationOfMedian * median_absolute_deviation(deviations));
  double sum = 0;
  for (const double deviation : deviations) {
    const double counted = std::clamp(deviation, -kClip * most, kClip * most);
    sum += counted * counted;
  }
  return std::max(kFewestNoise, std::sqrt(sum / degrees));
}

double clipped_mean(std::span<const double> values, double noise) {
  if (values.empty()) return 0;
  const double middle = median(values);
  double sum = 0;
  for (const double value : values) {
    sum += std::clamp(value, middle - kClip * noise, middle + kClip * noise);
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace opbench
