#include <algorithm>
#include <cmath>

#include "watching/detectors/detector.h"
#include "watching/detectors/l1_segments.h"
#include "watching/detectors/l1_steps.h"
#include "watching/detectors/window_sums.h"

namespace opbench {
namespace {

/// The price of a segment is that of asv, in the noise from night to night and not in the spread of
/// all values, times what neighbouring nights have in common.
std::vector<LevelStep> corrected_l1_steps(const LevelView& view) {
  const std::vector<double> levels = last_levels(view, kL1Nights);
  if (levels.size() < kL1Fewest) return {};
  const auto n = static_cast<double>(levels.size());
  const double correlated = std::max(0.0, neighbour_correlation(levels));
  const double widens = std::sqrt((1 + correlated) / (1 - correlated));
  const double gamma = 4 * std::log(n) * 0.8 * view.noise * widens;
  return l1_steps(view, levels, gamma);
}

}  // namespace

DetectorDef l1_detector() {
  return {.name = kPlainDetector,
          .summary = "weighted L1 steps; dearer where neighbouring nights are alike",
          .threshold = 2.5,
          .sure = 5,
          .delay = kL1Delay,
          .find = corrected_l1_steps};
}

}  // namespace opbench
