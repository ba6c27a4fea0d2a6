#pragma once

#include <span>

namespace opbench {

/// What the median distance from the median is multiplied with to give the standard deviation of
/// normal values.
constexpr double kDeviationOfMedian = 1.4826;

/// The standard deviation of normal values, from their median distance from the median. 0 with
/// fewer than two values.
double robust_sd(std::span<const double> values);

}  // namespace opbench
