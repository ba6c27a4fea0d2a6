#include "watching/detectors/l1_steps.h"

#include <algorithm>
#include <cmath>

#include "measuring/results/statistics.h"
#include "watching/detectors/l1_segments.h"
#include "watching/detectors/window_sums.h"

namespace opbench {

std::vector<LevelStep> l1_steps(const LevelView& view, std::span<const double> levels,
                                double gamma) {
  const size_t first = view.points.size() - levels.size();
  std::vector<size_t> begins = l1_segments(levels, gamma, kL1Segment);
  std::vector<LevelStep> steps;
  size_t left = 0;
  for (size_t i = 0; i < begins.size(); ++i) {
    const size_t at = begins[i];
    const size_t end = i + 1 < begins.size() ? begins[i + 1] : levels.size();
    const std::vector<double> before(levels.begin() + static_cast<std::ptrdiff_t>(left),
                                     levels.begin() + static_cast<std::ptrdiff_t>(at));
    const std::vector<double> after(levels.begin() + static_cast<std::ptrdiff_t>(at),
                                    levels.begin() + static_cast<std::ptrdiff_t>(end));
    LevelStep step{.at = first + at, .size = median(after) - median(before)};
    step.sd = view.noise * std::sqrt(1.57 / static_cast<double>(before.size()) +
                                     1.57 / static_cast<double>(after.size()));
    step.z = std::abs(step.size) / step.sd;
    steps.push_back(step);
    left = at;
  }
  return steps;
}

double neighbour_correlation(std::span<const double> values) {
  if (values.size() < 4) return 0;
  const MeanAndVariance all = mean_and_variance(values);
  if (all.variance <= 0) return 0;
  double sum = 0;
  for (size_t i = 1; i < values.size(); ++i) {
    sum += (values[i] - all.mean) * (values[i - 1] - all.mean);
  }
  return std::clamp(sum / (all.variance * static_cast<double>(values.size() - 1)), 0.0, 0.9);
}

}  // namespace opbench
