#include <algorithm>
#include <limits>

#include "planning/place/placement_methods.h"

namespace opbench {
namespace {

/// Units placed one after the other where they end first.
class EarliestEnd {
 public:
  explicit EarliestEnd(const PlacementProblem& problem)
      : problem_(problem),
        free_ms_(problem.devices.size(), 0),
        end_ms_(problem.size(), 0),
        placement_(problem.size(), -1) {}

  bool is_open(size_t unit) const {
    return placement_[unit] < 0 &&
           std::ranges::all_of(problem_.needs(unit), [&](const UnitNeed& need) {
             return placement_[static_cast<size_t>(need.unit)] >= 0;
           });
  }

  void place(size_t unit) {
    double first = std::numeric_limits<double>::infinity();
    for (size_t device = 0; device < free_ms_.size(); ++device) {
      const double end = end_on(unit, device);
      if (end >= first) continue;
      first = end;
      placement_[unit] = static_cast<int>(device);
    }
    end_ms_[unit] = free_ms_[static_cast<size_t>(placement_[unit])] = first;
  }

  const Placement& placement() const { return placement_; }

 private:
  double end_on(size_t unit, size_t device) const {
    const Arrival arrival = arrival_of(problem_, unit, device, placement_, end_ms_);
    return std::max(free_ms_[device], arrival.at_ms) + problem_.times_ms[unit][device];
  }

  const PlacementProblem& problem_;
  std::vector<double> free_ms_, end_ms_;
  Placement placement_;
};

}  // namespace

Placement own_fastest(const PlacementProblem& problem) {
  Placement placement;
  for (const std::vector<double>& times : problem.times_ms) {
    const auto fastest = std::ranges::min_element(times);
    placement.push_back(static_cast<int>(fastest - times.begin()));
  }
  return placement;
}

Placement greedy_placement(const PlacementProblem& problem) {
  EarliestEnd schedule(problem);
  for (size_t placed = 0; placed < problem.size(); ++placed) {
    size_t next = problem.size();
    double longest = -1;
    for (size_t unit = 0; unit < problem.size(); ++unit) {
      if (!schedule.is_open(unit)) continue;
      const double time = problem.fastest_ms(unit);
      if (time <= longest) continue;
      longest = time;
      next = unit;
    }
    schedule.place(next);
  }
  return schedule.placement();
}

Placement heft_placement(const PlacementProblem& problem) {
  EarliestEnd schedule(problem);
  for (const int unit : rank_order(problem)) schedule.place(static_cast<size_t>(unit));
  return schedule.placement();
}

}  // namespace opbench
