#include <algorithm>
#include <limits>

#include "base/numbers/random.h"
#include "planning/place/placement_methods.h"

namespace opbench {
namespace {

class PlacementGame {
 public:
  PlacementGame(const PlacementProblem& problem, const PlacementGoal& goal)
      : problem_(problem), goal_(goal), order_(rank_order(problem)) {}

  /// Responses until nobody gains, alone or in pairs.
  Placement settle(Placement start) {
    placement_ = std::move(start);
    potential_ = potential();
    while (respond_alone() || respond_together(2)) {
    }
    return placement_;
  }

  double potential_of_settled() const { return potential_; }
  double makespan_ms() const { return cost_of(problem_, order_, placement_).makespan_ms; }
  int moves() const { return moves_; }

 private:
  double potential() const { return potential_of(cost_of(problem_, order_, placement_), goal_); }

  /// What a move has to gain at least: else rounding could go on for ever.
  bool is_gain(double potential) const { return potential < potential_ - 1e-9 * (1 + potential_); }

  bool respond_alone() {
    bool has_moved = false;
    for (size_t unit = 0; unit < problem_.size(); ++unit) has_moved |= move_one(unit);
    return has_moved;
  }

  bool move_one(size_t unit) {
    const int before = placement_[unit];
    int best = before;
    double best_potential = potential_;
    for (int device = 0; device < devices(); ++device) {
      placement_[unit] = device;
      const double found = potential();
      if (!is_gain(found) || found >= best_potential) continue;
      best = device;
      best_potential = found;
    }
    placement_[unit] = best;
    potential_ = best_potential;
    moves_ += best != before ? 1 : 0;
    return best != before;
  }

  /// Sets of `size` units, the members of which all move.
  bool respond_together(size_t size) {
    std::vector<size_t> members;
    return extend(size, members);
  }

  bool extend(size_t size, std::vector<size_t>& members) {
    if (members.size() == size) return has_moved(members);
    const size_t next = members.empty() ? 0 : members.back() + 1;
    for (size_t unit = next; unit < problem_.size(); ++unit) {
      members.push_back(unit);
      const int before = placement_[unit];
      for (int device = 0; device < devices(); ++device) {
        if (device == before) continue;
        placement_[unit] = device;
        if (extend(size, members)) return true;
      }
      placement_[unit] = before;
      members.pop_back();
    }
    return false;
  }

  bool has_moved(const std::vector<size_t>& members) {
    const double found = potential();
    if (!is_gain(found)) return false;
    potential_ = found;
    moves_ += static_cast<int>(members.size());
    return true;
  }

  int devices() const { return static_cast<int>(problem_.devices.size()); }

  const PlacementProblem& problem_;
  const PlacementGoal& goal_;
  std::vector<int> order_;
  Placement placement_;
  double potential_ = 0;
  int moves_ = 0;
};

/// Equilibria of energy with a price on time, from cheap to dear: some of them end just within a
/// limit, where moves that keep to it find nothing better alone.
std::vector<Placement> priced_starts(const PlacementProblem& problem, const Placement& start) {
  constexpr int kPrices = 12;
  const PlacementCost cost = cost_of(problem, rank_order(problem), start);
  double price = cost.energy_mj / cost.makespan_ms / 64;
  std::vector<Placement> starts;
  Placement settled = start;
  for (int i = 0; i < kPrices; ++i, price *= 2) {
    const PlacementGoal goal{.price_mj_per_ms = price};
    settled = PlacementGame(problem, goal).settle(std::move(settled));
    starts.push_back(settled);
  }
  return starts;
}

}  // namespace

Equilibrium find_equilibrium(const PlacementProblem& problem, const PlacementGoal& goal,
                             const EquilibriumOptions& options) {
  std::vector<Placement> starts = {own_fastest(problem)};
  Random random(options.seed, "placements");
  for (int i = 0; i < options.random_starts; ++i) {
    Placement start;
    for (size_t unit = 0; unit < problem.size(); ++unit) {
      start.push_back(static_cast<int>(random.below(problem.devices.size())));
    }
    starts.push_back(std::move(start));
  }
  starts.insert(starts.end(), options.more_starts.begin(), options.more_starts.end());
  if (goal.least_energy_within_ms) {
    if (auto found = beam_placement(problem, goal)) starts.push_back(std::move(*found));
    for (const Placement& start : std::vector(starts)) {
      for (Placement& priced : priced_starts(problem, start)) starts.push_back(std::move(priced));
    }
  }

  PlacementGame game(problem, goal);
  Equilibrium best;
  double least = std::numeric_limits<double>::infinity();
  for (Placement& start : starts) {
    Placement settled = game.settle(std::move(start));
    best.worst_ms = std::max(best.worst_ms, game.makespan_ms());
    if (game.potential_of_settled() >= least) continue;
    least = game.potential_of_settled();
    best.placement = std::move(settled);
  }
  best.moves = game.moves();
  return best;
}

}  // namespace opbench
