#include "prediction/interference/sensitivity.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "prediction/analysis/isotonic.h"

namespace opbench {

SensitivityCurve::SensitivityCurve(std::vector<SensitivityPoint> points)
    : points_(std::move(points)) {
  for (SensitivityPoint& point : points_) {
    point.pressure = std::max(point.pressure, 1.0);
    point.slowdown = std::max(point.slowdown, 1.0);
  }
  std::ranges::stable_sort(points_, {}, &SensitivityPoint::pressure);
  // First, so that it is the only one that is always right.
  points_.insert(points_.begin(), SensitivityPoint{1, 1});
  std::vector<double> slowdowns;
  for (const SensitivityPoint& point : points_) slowdowns.push_back(point.slowdown);
  const MonotoneFit fit = rising_fit(slowdowns, std::vector<double>(slowdowns.size(), 1));
  for (size_t i = 0; i < points_.size(); ++i) points_[i].slowdown = fit.values[i];
}

double SensitivityCurve::at(double pressure) const {
  const auto above = std::ranges::upper_bound(points_, pressure, {}, &SensitivityPoint::pressure);
  if (pressure <= points_.front().pressure) return points_.front().slowdown;
  const SensitivityPoint& low = *(above - 1);
  if (above == points_.end()) return low.slowdown;
  const double part = (pressure - low.pressure) / (above->pressure - low.pressure);
  return low.slowdown + part * (above->slowdown - low.slowdown);
}

}  // namespace opbench
