#pragma once

#include <span>
#include <vector>

namespace opbench {

/// The median; of an even number the mean of the two in the middle. At least one value.
double middle(std::vector<double> values);

/// 1.4826 times the median distance from the median: the standard deviation of normal values.
double robust_sd(std::span<const double> values);

}  // namespace opbench
