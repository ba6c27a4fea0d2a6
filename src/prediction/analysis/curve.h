#pragma once

#include <cstddef>
#include <vector>

namespace opbench {

/// One setting of a sweep and the time it took.
struct CurvePoint {
  double x = 0;
  double y = 0;  ///< above 0; any unit of time
  bool operator==(const CurvePoint&) const = default;
};

/// A sweep over one axis: x ascends strictly, every y is finite and above 0.
using Curve = std::vector<CurvePoint>;

/// The points with x in ascending order. Several points of one x become one, at their median.
Curve make_curve(std::vector<CurvePoint> points);

/// What fits are made over: ln x where every x is above 0, else x itself.
std::vector<double> abscissa_of(const Curve& curve);

/// ln y of every point.
std::vector<double> log_times_of(const Curve& curve);

/// The point with the smallest y; of equal ones the first. The curve has a point.
size_t fastest_of(const std::vector<double>& times);

/// The first value that is at most (1 + tolerance) times the smallest one.
size_t first_within(const std::vector<double>& times, double tolerance);

}  // namespace opbench
