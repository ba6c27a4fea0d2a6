#include <algorithm>
#include <limits>
#include <numeric>

#include "planning/place/placement_methods.h"

namespace opbench {
namespace {

/// Places units in rank order: what is placed has its final times then, as cost_of schedules in the
/// same order.
class PlacementSearch {
 public:
  PlacementSearch(const PlacementProblem& problem, const PlacementGoal& goal)
      : problem_(problem),
        goal_(goal),
        order_(rank_order(problem)),
        end_ms_(problem.size(), 0),
        placement_(problem.size(), 0) {
    // What the units from each position on cost at least.
    left_ms_.assign(problem.size() + 1, 0);
    left_mj_.assign(problem.size() + 1, 0);
    for (size_t at = problem.size(); at-- > 0;) {
      const auto unit = static_cast<size_t>(order_[at]);
      left_ms_[at] = left_ms_[at + 1] + problem.fastest_ms(unit);
      left_mj_[at] = left_mj_[at + 1] + problem.least_energy(unit);
    }
  }

  Placement run() {
    visit(0, std::vector<double>(problem_.devices.size(), 0), 0, 0);
    return best_;
  }

 private:
  void visit(size_t at, const std::vector<double>& free, double makespan, double energy) {
    if (at == order_.size()) {
      const double value = value_of(makespan, energy);
      if (value >= least_) return;
      least_ = value;
      best_ = placement_;
      return;
    }
    const double loads = std::accumulate(free.begin(), free.end(), left_ms_[at]);
    const double bound = std::max(makespan, loads / static_cast<double>(free.size()));
    const auto& limit = goal_.least_energy_within_ms;
    if (limit && makespan > *limit) return;
    if (value_of(limit ? makespan : bound, energy + left_mj_[at]) >= least_) return;
    for (size_t device = 0; device < free.size(); ++device)
      place(at, device, free, makespan, energy);
  }

  void place(size_t at, size_t device, std::vector<double> free, double makespan, double energy) {
    const auto number = static_cast<size_t>(order_[at]);
    const Arrival arrival = arrival_of(problem_, number, device, placement_, end_ms_);
    placement_[number] = static_cast<int>(device);
    end_ms_[number] = free[device] =
        std::max(free[device], arrival.at_ms) + problem_.times_ms[number][device];
    energy += arrival.transfer_mj;
    energy += problem_.energy_of(number, device);
    visit(at + 1, free, std::max(makespan, end_ms_[number]), energy);
  }

  double value_of(double makespan, double energy) const {
    if (!goal_.least_energy_within_ms) return makespan;
    return makespan > *goal_.least_energy_within_ms ? std::numeric_limits<double>::infinity()
                                                    : energy + problem_.idle_w * makespan;
  }

  const PlacementProblem& problem_;
  const PlacementGoal& goal_;
  std::vector<int> order_;
  std::vector<double> end_ms_, left_ms_, left_mj_;
  Placement placement_, best_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Placement best_placement(const PlacementProblem& problem, const PlacementGoal& goal) {
  return PlacementSearch(problem, goal).run();
}

}  // namespace opbench
