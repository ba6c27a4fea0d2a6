#include "planning/place/placement_front.h"

#include <algorithm>

namespace opbench {

bool PlacementFront::add(FrontPoint point) {
  const auto is_no_worse = [](const FrontPoint& a, const FrontPoint& b) {
    return a.makespan_ms <= b.makespan_ms && a.energy_mj <= b.energy_mj;
  };
  const bool is_beaten = std::ranges::any_of(
      points_, [&](const FrontPoint& other) { return is_no_worse(other, point); });
  if (is_beaten) return false;
  std::erase_if(points_, [&](const FrontPoint& other) { return is_no_worse(point, other); });
  const auto place =
      std::ranges::upper_bound(points_, point.makespan_ms, {}, &FrontPoint::makespan_ms);
  points_.insert(place, std::move(point));
  return true;
}

std::optional<FrontPoint> PlacementFront::least_energy_within(double limit_ms) const {
  constexpr double kRounding = 1e-9;
  std::optional<FrontPoint> found;
  for (const FrontPoint& point : points_) {
    if (point.makespan_ms <= limit_ms * (1 + kRounding)) found = point;
  }
  return found;
}

double PlacementFront::hypervolume(double reference_ms, double reference_mj) const {
  double area = 0;
  double top_mj = reference_mj;
  for (const FrontPoint& point : points_) {
    if (point.makespan_ms >= reference_ms || point.energy_mj >= top_mj) continue;
    area += (reference_ms - point.makespan_ms) * (top_mj - point.energy_mj);
    top_mj = point.energy_mj;
  }
  return area;
}

FrontPoint front_point(const PlacementProblem& problem, Placement placement) {
  const PlacementCost cost = cost_of(problem, rank_order(problem), placement);
  return {cost.makespan_ms, cost.energy_mj, std::move(placement)};
}

}  // namespace opbench
