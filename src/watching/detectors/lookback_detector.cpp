#include <cmath>

#include "measuring/results/statistics.h"
#include "watching/detectors/detector.h"
#include "watching/detectors/robust_sd.h"
#include "watching/detectors/window_sums.h"

namespace opbench {
namespace {

constexpr size_t kLookbackNights = 30;
constexpr size_t kFewestLookback = 8;
constexpr double kLookbackZ = 5;

/// Tonight beside the nights before it.
std::vector<LevelStep> lookback_steps(const LevelView& view) {
  std::vector<double> levels = last_levels(view, kLookbackNights + 1);
  if (levels.size() < kFewestLookback + 1) return {};
  const double tonight = levels.back();
  levels.pop_back();
  const double sd = robust_sd(levels);
  LevelStep step{.at = view.points.size() - 1, .size = tonight - median(levels), .sd = sd};
  step.z = sd > 0 ? std::abs(step.size) / sd : 0;
  if (step.z < kLookbackZ) return {};
  return {step};
}

}  // namespace

DetectorDef lookback_detector() {
  return {.name = "lookback",
          .summary = "tonight 5 standard deviations beside the 30 nights before it",
          .threshold = kLookbackZ,
          .sure = kLookbackZ,
          .delay = 1,
          .find = lookback_steps};
}

}  // namespace opbench
