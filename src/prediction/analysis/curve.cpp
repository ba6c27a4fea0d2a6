#include "prediction/analysis/curve.h"

#include <algorithm>
#include <cmath>

#include "measuring/results/statistics.h"

namespace opbench {

Curve make_curve(std::vector<CurvePoint> points) {
  std::ranges::stable_sort(points, {}, &CurvePoint::x);
  Curve curve;
  for (size_t i = 0; i < points.size();) {
    std::vector<double> times;
    const double x = points[i].x;
    for (; i < points.size() && points[i].x == x; ++i) times.push_back(points[i].y);
    curve.push_back({x, median(times)});
  }
  return curve;
}

std::vector<double> abscissa_of(const Curve& curve) {
  const bool is_log = std::ranges::all_of(curve, [](const CurvePoint& p) { return p.x > 0; });
  std::vector<double> values;
  for (const CurvePoint& point : curve) values.push_back(is_log ? std::log(point.x) : point.x);
  return values;
}

std::vector<double> log_times_of(const Curve& curve) {
  std::vector<double> values;
  for (const CurvePoint& point : curve) values.push_back(std::log(point.y));
  return values;
}

size_t fastest_of(const std::vector<double>& times) {
  return static_cast<size_t>(std::ranges::min_element(times) - times.begin());
}

size_t first_within(const std::vector<double>& times, double tolerance) {
  const double limit = std::ranges::min(times) * (1 + tolerance);
  const auto found = std::ranges::find_if(times, [&](double time) { return time <= limit; });
  return static_cast<size_t>(found - times.begin());
}

}  // namespace opbench
