#include "watching/detectors/window_sums.h"

#include <algorithm>
#include <cmath>

namespace opbench {

size_t first_of_last(const LevelView& view, size_t most) {
  const size_t count = view.points.size();
  return std::max(view.base, count > most ? count - most : 0);
}

std::vector<double> last_levels(const LevelView& view, size_t most) {
  std::vector<double> levels;
  for (size_t i = first_of_last(view, most); i < view.points.size(); ++i) {
    levels.push_back(view.points[i].level);
  }
  return levels;
}

MeanAndVariance mean_and_variance(std::span<const double> values) {
  MeanAndVariance result;
  for (const double value : values) result.mean += value;
  result.mean /= static_cast<double>(values.size());
  if (values.size() < 2) return result;
  for (const double value : values) {
    result.variance += (value - result.mean) * (value - result.mean);
  }
  result.variance /= static_cast<double>(values.size() - 1);
  return result;
}

double welch_t(std::span<const double> before, std::span<const double> after) {
  const MeanAndVariance a = mean_and_variance(before);
  const MeanAndVariance b = mean_and_variance(after);
  const double variance = a.variance / static_cast<double>(before.size()) +
                          b.variance / static_cast<double>(after.size());
  return variance > 0 ? (b.mean - a.mean) / std::sqrt(variance) : 0;
}

double normal_p(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

double student_p(double t, double degrees) {
  // Hill's transformation (1970) to a normal value; its error is below 1e-3 of p from 3 degrees on.
  const double a = degrees - 0.5;
  const double b = 48 * a * a;
  const double w = std::log1p(t * t / degrees);
  const double z = std::sqrt(a * w);
  const double corrected = z + (z * z * z + 3 * z) / b -
                           (4 * std::pow(z, 7) + 33 * std::pow(z, 5) + 240 * z * z * z + 855 * z) /
                               (10 * b * (b + 0.8 * std::pow(z, 4) + 100));
  return normal_p(corrected);
}

}  // namespace opbench
