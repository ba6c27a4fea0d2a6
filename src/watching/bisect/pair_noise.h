#pragma once

#include <span>
#include <vector>

namespace opbench {

/// The standard deviation of a pair, over sets of pairs that differ in their centre. What lies
/// further than three deviations from its set's centre counts as three, so that a few disturbed
/// pairs do not hide the rest. At least 0.0005; that where no set has two pairs.
double pair_noise(const std::vector<std::span<const double>>& sets);

/// The mean of values, each drawn to within three times `noise` of their median; 0 for none.
double clipped_mean(std::span<const double> values, double noise);

}  // namespace opbench
