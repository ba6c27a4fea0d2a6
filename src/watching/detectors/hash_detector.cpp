#include <algorithm>
#include <cmath>

#include "measuring/results/statistics.h"
#include "watching/detectors/detector.h"

namespace opbench {
namespace {

constexpr size_t kRecentNights = 3;       ///< within which a rebuild is asked about
constexpr size_t kLongHistory = 20;       ///< nights before it
constexpr size_t kShortHistory = 5;       ///< against which it must show as well
constexpr size_t kOwnSegment = 3;         ///< so many nights since a boundary stand for themselves
constexpr double kMedianVariance = 1.57;  ///< of a median, in that of the mean

/// The level before a rebuild.
struct LevelBefore {
  double middle = 0;
  double variance = 0;
};

/// Of the last `most` points before `at`: those since a boundary where there are enough of them.
LevelBefore level_before(const LevelView& view, size_t at, size_t most) {
  size_t begin = std::max(view.base, at > most ? at - most : 0);
  double boundary = view.points[at].boundary_sd;
  for (size_t i = at; i-- > begin + 1 && boundary == 0;) {
    if (view.points[i].boundary_sd == 0) continue;
    if (at - i >= kOwnSegment) {
      begin = i;
    } else {
      boundary = view.points[i].boundary_sd;
    }
    break;
  }
  std::vector<double> levels;
  for (size_t i = begin; i < at; ++i) levels.push_back(view.points[i].level);
  const double own = view.noise * view.noise * kMedianVariance / static_cast<double>(levels.size());
  return {median(levels), own + boundary * boundary};
}

/// What the nights from `at` to before `end` say beside an old level. Of two the nearer one counts,
/// none where they lie on both sides.
double size_after(const LevelView& view, size_t at, size_t end, double old_level) {
  std::vector<double> sizes;
  for (size_t i = at; i < end; ++i) sizes.push_back(view.points[i].level - old_level);
  if (sizes.size() != 2) return median(sizes);
  if (sizes[0] * sizes[1] <= 0) return 0;
  return std::abs(sizes[0]) < std::abs(sizes[1]) ? sizes[0] : sizes[1];
}

LevelStep step_at(const LevelView& view, size_t at, size_t end) {
  const LevelBefore longer = level_before(view, at, kLongHistory);
  const LevelBefore shorter = level_before(view, at, kShortHistory);
  const double far = size_after(view, at, end, longer.middle);
  const double near = size_after(view, at, end, shorter.middle);
  LevelStep step{.at = at};
  if (far * near > 0) step.size = std::abs(far) < std::abs(near) ? far : near;
  const double of_after = end - at < kRecentNights ? 1 : kMedianVariance / kRecentNights;
  double doubt = view.points[at].doubt;
  for (size_t i = at; i < end; ++i) doubt = std::min(doubt, view.points[i].doubt);
  step.sd = std::sqrt(longer.variance + view.noise * view.noise * of_after + doubt * doubt);
  step.z = std::abs(step.size) / step.sd;
  return step;
}

/// Only a rebuild within the last nights opens a question, and its night is the change point.
std::vector<LevelStep> steps_at_rebuilds(const LevelView& view) {
  std::vector<LevelStep> steps;
  const size_t count = view.points.size();
  size_t end = count;
  for (size_t at = count; at-- > view.base + 1;) {
    if (nights_since(view.points, at) > kRecentNights) break;
    if (!view.points[at].is_rebuilt) continue;
    steps.push_back(step_at(view, at, end));
    end = at;
  }
  return steps;
}

}  // namespace

DetectorDef hash_detector() {
  return {.name = kHashDetector,
          .summary = "asks about rebuilt kernels only; a paired run gives the answer",
          .needs_hashes = true,
          .threshold = 2.5,
          .sure = 5,
          .delay = kRecentNights,
          .find = steps_at_rebuilds};
}

}  // namespace opbench
