#pragma once

#include <cstddef>
#include <vector>

namespace opbench {

/// A straight line through points, and the squares that it leaves.
struct FittedLine {
  double intercept = 0, slope = 0;
  double squares = 0;  ///< sum of squared residuals
  double at(double x) const { return intercept + slope * x; }
};

/// Lines through runs of points, each in constant time.
class LineSums {
 public:
  /// As many x as y.
  LineSums(const std::vector<double>& x, const std::vector<double>& y);

  /// The least-squares line through points begin … end - 1, of which there is one at least.
  /// Horizontal where all x are equal.
  FittedLine through(size_t begin, size_t end) const;

 private:
  double x_middle_ = 0, y_middle_ = 0;  ///< taken off, so that squares keep their digits
  std::vector<double> x_, y_, xx_, xy_, yy_;
};

/// The coefficients c ≥ 0 that minimise Σ ((y − Σ c_j a_j) / y)²: the relative error counts. One
/// column a_j for each coefficient, at most three, as long as y; every y above 0. All subsets of
/// columns are solved, so that the answer is exact.
std::vector<double> non_negative_fit(const std::vector<std::vector<double>>& columns,
                                     const std::vector<double>& y);

}  // namespace opbench
