#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "prediction/analysis/curve.h"
#include "prediction/analysis/least_squares.h"

namespace opbench {

/// Points that a segment has at least.
constexpr size_t kLeastSegment = 3;

/// Neighbouring runs of points, each with a least-squares line of its own through (abscissa, ln y).
struct Segments {
  std::vector<size_t> ends;       ///< one past the last point of each run, ascending
  std::vector<FittedLine> lines;  ///< one for each run
  double squares = 0;             ///< sum of squared residuals of ln y
  double bic = 0;                 ///< Bayesian information criterion
  size_t parameters() const { return 3 * ends.size() - 1; }
};

/// n ln(squares / n) + parameters ln n (Schwarz 1978), less is better. Residuals below 0.01 % count
/// as 0.01 %: no clock tells more.
double bic_of(double squares, size_t points, size_t parameters);

/// The least squares that `count` runs of at least kLeastSegment points leave, by dynamic
/// programming. The curve has count × kLeastSegment points at least.
Segments segments_of(const Curve& curve, size_t count);

/// One line with a bend at a point of the curve: continuous, in contrast to segments_of(…, 2).
struct BentLine {
  size_t bend = 0;  ///< the point
  FittedLine line;  ///< before the bend
  double slope_behind = 0;
  double squares = 0;
  double bic = 0;  ///< of 4 parameters
};

/// The best bent line with kLeastSegment points on both sides, of a curve that has twice as many.
BentLine bent_line_of(const Curve& curve);

/// How often a curve that truly is one straight line, with noise as large as this curve's, shows as
/// large a gain in BIC by a second segment: from `draws` simulated curves with this seed.
double chance_of_break(const Curve& curve, double gain, int draws, uint64_t seed);

}  // namespace opbench
