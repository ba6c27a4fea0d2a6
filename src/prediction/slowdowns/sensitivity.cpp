#include "prediction/slowdowns/sensitivity.h"

#include <algorithm>
#include <cstddef>

namespace opbench {
namespace {

/// Points that have one mean.
struct Pool {
  double sum = 0;
  size_t count = 0;
  double mean() const { return sum / static_cast<double>(count); }
};

std::vector<double> isotonic(const std::vector<SensitivityPoint>& points) {
  std::vector<Pool> pools;
  for (const SensitivityPoint& point : points) {
    pools.push_back({point.slowdown, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      pools[pools.size() - 2].sum += pools.back().sum;
      pools[pools.size() - 2].count += pools.back().count;
      pools.pop_back();
    }
  }
  std::vector<double> fitted;
  for (const Pool& pool : pools) fitted.insert(fitted.end(), pool.count, pool.mean());
  return fitted;
}

}  // namespace

SensitivityCurve::SensitivityCurve(std::vector<SensitivityPoint> points)
    : points_(std::move(points)) {
  for (SensitivityPoint& point : points_) {
    point.pressure = std::max(point.pressure, 1.0);
    point.slowdown = std::max(point.slowdown, 1.0);
  }
  std::ranges::stable_sort(points_, {}, &SensitivityPoint::pressure);
  // First, so that it is the only one that is always right.
  points_.insert(points_.begin(), SensitivityPoint{1, 1});
  const std::vector<double> fitted = isotonic(points_);
  for (size_t i = 0; i < points_.size(); ++i) points_[i].slowdown = fitted[i];
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
