#include <cmath>

#include "watching/detectors/detector.h"
#include "watching/detectors/l1_segments.h"
#include "watching/detectors/l1_steps.h"
#include "watching/detectors/window_sums.h"

namespace opbench {
namespace {

constexpr double kSmallestOfAsv = 0.05;  ///< asv reports regressions from 5 % on

/// gamma = 4 ln(n) / n times the distance of all values from their median: a past step widens it.
std::vector<LevelStep> asv_steps(const LevelView& view) {
  const std::vector<double> levels = last_levels(view, kL1Nights);
  if (levels.size() < kL1Fewest) return {};
  const auto n = static_cast<double>(levels.size());
  std::vector<LevelStep> steps = l1_steps(view, levels, 4 * std::log(n) / n * l1_cost(levels));
  std::erase_if(steps, [](const LevelStep& step) { return std::abs(step.size) < kSmallestOfAsv; });
  return steps;
}

}  // namespace

DetectorDef asv_detector() {
  return {.name = "asv",
          .summary = "weighted L1 steps of 5 % and more, as airspeed velocity has them",
          .threshold = 0,
          .sure = 0,
          .delay = kL1Delay,
          .find = asv_steps};
}

}  // namespace opbench
