#include <algorithm>
#include <cmath>

#include "watching/detectors/detector.h"
#include "watching/detectors/window_sums.h"

namespace opbench {
namespace {

constexpr size_t kPerfherderNights = 12;  ///< on both sides
constexpr double kPerfherderT = 7;
constexpr double kPerfherderChange = 0.02;

struct WeighedSums {
  double mean = 0;
  double variance = 0;
};

/// Weights fall linearly away from the point; `nearest` is the first of them.
WeighedSums weighed(std::span<const double> nearest_first) {
  const auto n = static_cast<double>(nearest_first.size());
  double weight = 0;
  WeighedSums sums;
  for (size_t i = 0; i < nearest_first.size(); ++i) {
    const double w = (n - static_cast<double>(i)) / n;
    sums.mean += w * nearest_first[i];
    weight += w;
  }
  sums.mean /= weight;
  for (size_t i = 0; i < nearest_first.size(); ++i) {
    const double w = (n - static_cast<double>(i)) / n;
    sums.variance += w * (nearest_first[i] - sums.mean) * (nearest_first[i] - sums.mean);
  }
  sums.variance /= weight * (n - 1) / n;
  return sums;
}

LevelStep perfherder_step(const LevelView& view, size_t at) {
  std::vector<double> before, after;
  for (size_t i = 0; i < kPerfherderNights; ++i) {
    before.push_back(view.points[at - 1 - i].level);
    after.push_back(view.points[at + i].level);
  }
  const WeighedSums a = weighed(before), b = weighed(after);
  const double sd = std::sqrt((a.variance + b.variance) / kPerfherderNights);
  LevelStep step{.at = at, .size = b.mean - a.mean, .sd = sd};
  step.z = sd > 0 ? std::abs(step.size) / sd : 0;
  return step;
}

/// The points whose t is the largest within a window, of those that have all nights on both sides.
std::vector<LevelStep> perfherder_steps(const LevelView& view) {
  const size_t count = view.points.size();
  if (count < view.base + 2 * kPerfherderNights + 1) return {};
  const size_t last = count - kPerfherderNights;
  const LevelStep now = perfherder_step(view, last);
  std::vector<LevelStep> near;
  for (size_t at = last; at-- > view.base + kPerfherderNights && last - at <= 4;) {
    near.push_back(perfherder_step(view, at));
  }
  near.push_back(now);
  const LevelStep best = *std::ranges::max_element(near, {}, &LevelStep::z);
  const bool is_peak = best.at < last || near.size() == 1;
  if (!is_peak || best.z <= kPerfherderT || std::abs(best.size) < kPerfherderChange) return {};
  return {best};
}

}  // namespace

DetectorDef perfherder_detector() {
  return {.name = "perfherder",
          .summary = "Student's t above 7 over 12 weighed nights on both sides, and 2 %",
          .threshold = kPerfherderT,
          .sure = kPerfherderT,
          .delay = static_cast<int>(kPerfherderNights) + 5,
          .find = perfherder_steps};
}

}  // namespace opbench
