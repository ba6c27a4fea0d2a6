#include <algorithm>

#include "planning/place/placement_front.h"
#include "planning/place/placement_methods.h"
#include "planning/place/state_search.h"

namespace opbench {
namespace {

class FrontFinder {
 public:
  FrontFinder(const PlacementProblem& problem, const FrontOptions& options)
      : problem_(problem), options_(options) {}

  EnergyFront run(const std::vector<Placement>& more) {
    for (size_t device = 0; device < problem_.devices.size(); ++device) {
      add(Placement(problem_.size(), static_cast<int>(device)));
    }
    for (Placement placement : more) add(std::move(placement));
    add(heft_placement(problem_));
    add_searched();
    if (!found_.is_optimal) {
      add_priced();
      add_limited();
    }
    return std::move(found_);
  }

 private:
  void add(Placement placement) { found_.front.add(front_point(problem_, std::move(placement))); }

  double shortest_ms() const { return found_.front.points().front().makespan_ms; }
  double longest_ms() const { return found_.front.points().back().makespan_ms; }

  /// From a price at which only time counts to one at which only energy does.
  void add_priced() {
    constexpr int kPrices = 10;
    constexpr double kStep = 4;
    constexpr size_t kMostUnits = 60;  // equilibria try all pairs of units
    if (problem_.size() > kMostUnits) return;
    const FrontPoint& shortest = found_.front.points().front();
    double price = 64 * shortest.energy_mj / shortest.makespan_ms;
    for (int i = 0; i < kPrices; ++i, price /= kStep) {
      const PlacementGoal goal{.price_mj_per_ms = price};
      const EquilibriumOptions options{.random_starts = 0,
                                       .more_starts = {found_.front.points().front().placement}};
      add(find_equilibrium(problem_, goal, options).placement);
    }
  }

  void add_limited() {
    const double shortest = shortest_ms();
    const double span = longest_ms() - shortest;
    for (int i = 0; i < options_.limits; ++i) {
      const double limit = shortest + span * i / std::max(1, options_.limits - 1);
      if (auto placement = beam_placement(problem_, {.least_energy_within_ms = limit})) {
        add(std::move(*placement));
      }
    }
  }

  /// Without tolerance, and with it where that has too many states.
  void add_searched() {
    for (const double tolerance : {0.0, options_.tolerance}) {
      const StateSearchOptions options{.counts_energy = true,
                                       .most_ms = longest_ms() * (1 + options_.tolerance),
                                       .most_states = options_.most_states,
                                       .tolerance = tolerance};
      const StateSearchResult searched = search_states(problem_, options);
      for (const FrontPoint& point : searched.front.points()) found_.front.add(point);
      found_.is_optimal = searched.is_complete;
      found_.tolerance = tolerance;
      if (searched.is_complete) return;
    }
  }

  const PlacementProblem& problem_;
  const FrontOptions& options_;
  EnergyFront found_;
};

}  // namespace

EnergyFront find_energy_front(const PlacementProblem& problem, const std::vector<Placement>& more,
                              const FrontOptions& options) {
  return FrontFinder(problem, options).run(more);
}

LeastEnergy find_least_energy(const PlacementProblem& problem, double limit_ms,
                              const PlacementFront& front, size_t most_states) {
  constexpr double kRounding = 1e-9;
  StateSearchOptions options{
      .counts_energy = true, .most_ms = limit_ms * (1 + kRounding), .most_states = most_states};
  if (const auto known = front.least_energy_within(limit_ms)) {
    options.most_mj = known->energy_mj * (1 + kRounding);
  }
  const StateSearchResult searched = search_states(problem, options);
  PlacementFront all = front;
  for (const FrontPoint& point : searched.front.points()) all.add(point);
  LeastEnergy found{all.least_energy_within(limit_ms), searched.is_complete,
                    searched.dropped_bound};
  if (found.point) found.bound_mj = std::min(found.bound_mj, found.point->energy_mj);
  return found;
}

}  // namespace opbench
