#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "watching/detectors/detector.h"

namespace opbench {

inline constexpr size_t kL1Nights = 60;  ///< that a fit looks back
inline constexpr size_t kL1Fewest = 10;  ///< nights without which nothing is said
inline constexpr size_t kL1Segment = 2;  ///< one night alone is no level
inline constexpr int kL1Delay = 8;

/// The steps of the best fit at the price `gamma` a segment. `levels` are the last of the view.
std::vector<LevelStep> l1_steps(const LevelView& view, std::span<const double> levels,
                                double gamma);

/// The correlation of values with those after them, without the largest moves; within 0 and 0.9.
double neighbour_correlation(std::span<const double> values);

}  // namespace opbench
