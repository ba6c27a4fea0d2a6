#include <algorithm>
#include <numeric>
#include <tuple>

#include "planning/place/placement_methods.h"

namespace opbench {
namespace {

constexpr size_t kKept = 128;

/// The first units of the rank order, placed: cost_of schedules them just so.
struct Prefix {
  Placement placement;
  std::vector<double> free_ms, end_ms;
  double energy_mj = 0;
  double bound_ms = 0;  ///< no placement that goes on ends before
};

class PlacementBeam {
 public:
  PlacementBeam(const PlacementProblem& problem, const PlacementGoal& goal)
      : problem_(problem), goal_(goal), order_(rank_order(problem)), tails_(problem.size(), 0) {
    for (size_t i = problem.size(); i-- > 0;) {
      tails_[i] += problem.fastest_ms(i);
      for (const UnitNeed& need : problem.needs(i)) {
        double& before = tails_[static_cast<size_t>(need.unit)];
        before = std::max(before, tails_[i]);
      }
    }
    for (size_t i = 0; i < problem.size(); ++i) left_ms_ += problem.fastest_ms(i);
  }

  std::optional<Placement> run() {
    std::vector<Prefix> beam(1);
    beam.front().placement.assign(problem_.size(), 0);
    beam.front().end_ms.assign(problem_.size(), 0);
    beam.front().free_ms.assign(problem_.devices.size(), 0);
    for (const int unit : order_) {
      left_ms_ -= problem_.fastest_ms(static_cast<size_t>(unit));
      beam = kept(children_of(beam, static_cast<size_t>(unit)));
    }
    if (beam.empty()) return std::nullopt;
    return std::ranges::min_element(beam, {}, cost)->placement;
  }

 private:
  static std::tuple<double, double> cost(const Prefix& prefix) {
    return {prefix.energy_mj, prefix.bound_ms};
  }
  static std::tuple<double, double> lateness(const Prefix& prefix) {
    return {prefix.bound_ms, prefix.energy_mj};
  }

  std::vector<Prefix> children_of(const std::vector<Prefix>& beam, size_t unit) const {
    std::vector<Prefix> children;
    for (const Prefix& parent : beam) {
      for (size_t device = 0; device < problem_.devices.size(); ++device) {
        Prefix child = parent;
        place(unit, device, child);
        if (child.bound_ms <= *goal_.least_energy_within_ms) children.push_back(std::move(child));
      }
    }
    return children;
  }

  /// Energy counts idle power over the bound from here on, so that prefixes compare.
  void place(size_t number, size_t device, Prefix& prefix) const {
    const Arrival arrival = arrival_of(problem_, number, device, prefix.placement, prefix.end_ms);
    const double start = std::max(prefix.free_ms[device], arrival.at_ms);
    const double time = problem_.times_ms[number][device];
    const double fastest = problem_.fastest_ms(number);
    prefix.placement[number] = static_cast<int>(device);
    prefix.end_ms[number] = prefix.free_ms[device] = start + time;
    prefix.energy_mj += arrival.transfer_mj;
    prefix.energy_mj += problem_.energy_of(number, device);
    const double loads = std::accumulate(prefix.free_ms.begin(), prefix.free_ms.end(), left_ms_);
    const double before = prefix.bound_ms;
    prefix.bound_ms = std::max({before, start + time + tails_[number] - fastest,
                                loads / static_cast<double>(problem_.devices.size())});
    prefix.energy_mj += problem_.idle_w * (prefix.bound_ms - before);
  }

  static std::vector<Prefix> kept(std::vector<Prefix> children) {
    if (children.size() <= kKept) return children;
    std::ranges::stable_sort(children, {}, cost);
    std::ranges::stable_sort(children.begin() + kKept / 2, children.end(), {}, lateness);
    children.resize(kKept);
    return children;
  }

  const PlacementProblem& problem_;
  const PlacementGoal& goal_;
  std::vector<int> order_;
  std::vector<double> tails_;
  double left_ms_ = 0;  ///< fastest times of what is not placed
};

}  // namespace

std::optional<Placement> beam_placement(const PlacementProblem& problem,
                                        const PlacementGoal& goal) {
  return PlacementBeam(problem, goal).run();
}

}  // namespace opbench
