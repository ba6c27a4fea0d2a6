#pragma once

#include <cstddef>
#include <vector>

namespace opbench {

/// A least-squares fit whose values never change direction, or change it once.
struct MonotoneFit {
  std::vector<double> values;  ///< one for each y
  double squares = 0;          ///< weighted sum of squared residuals
  size_t levels = 0;           ///< runs of equal values
};

/// Never falling: pool adjacent violators (Ayer et al. 1955). `weights`: one for each y.
MonotoneFit rising_fit(const std::vector<double>& y, const std::vector<double>& weights);

/// Never rising.
MonotoneFit falling_fit(const std::vector<double>& y, const std::vector<double>& weights);

/// Falling up to some place, then rising; the place that leaves the least squares.
MonotoneFit valley_fit(const std::vector<double>& y, const std::vector<double>& weights);

/// Rising up to some place, then falling.
MonotoneFit peak_fit(const std::vector<double>& y, const std::vector<double>& weights);

}  // namespace opbench
