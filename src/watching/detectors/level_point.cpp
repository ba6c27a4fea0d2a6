#include <algorithm>

#include "watching/detectors/detector.h"

namespace opbench {

size_t nights_since(std::span<const LevelPoint> points, size_t at) {
  const auto later = points.subspan(at);
  return later.size() -
         static_cast<size_t>(std::ranges::count(later, true, &LevelPoint::is_filled));
}

}  // namespace opbench
