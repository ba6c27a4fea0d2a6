#pragma once

#include <span>
#include <vector>

#include "watching/detectors/detector.h"

namespace opbench {

/// The levels of the last `most` points, from the base on.
std::vector<double> last_levels(const LevelView& view, size_t most);

/// Where the last of them stands in `view.points`, less its place among them.
size_t first_of_last(const LevelView& view, size_t most);

struct MeanAndVariance {
  double mean = 0;
  double variance = 0;  ///< with n - 1; 0 for one value
};

/// At least one value.
MeanAndVariance mean_and_variance(std::span<const double> values);

/// Welch's t of two sets of at least two values each; positive where the second is larger.
double welch_t(std::span<const double> before, std::span<const double> after);

/// Two-sided p of a standard normal value, and of a t with `degrees` degrees of freedom.
double normal_p(double z);
double student_p(double t, double degrees);

}  // namespace opbench
