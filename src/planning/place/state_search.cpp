#include "planning/place/state_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

namespace opbench {
namespace {

/// How a state was reached.
struct Origin {
  size_t parent = 0;  ///< among the states of the unit before
  uint8_t device = 0;
};

/// What counts for the units that follow.
struct State {
  std::vector<double> free_ms;  ///< by device
  std::vector<double> ends_ms;  ///< of the live units
  Placement devices;            ///< of the live units
  double energy_mj = 0;         ///< of units and transfers
  double bound_ms = 0;          ///< no placement that goes on ends before
  double bound_mj = 0;          ///< or needs less
  Origin origin;
};

/// What is known before the search about the moment after one unit was placed.
struct Layer {
  std::vector<size_t> live;  ///< units that are placed and read later
  std::vector<size_t> open;  ///< units that could be next: all that they need is placed
  double left_ms = 0;        ///< fastest times of what is not placed
  double left_mj = 0;        ///< least energies of that
};

class StateSearch {
 public:
  StateSearch(const PlacementProblem& problem, const StateSearchOptions& options)
      : problem_(problem), options_(options), order_(rank_order(problem)) {
    find_tails();
    for (size_t at = 0; at < order_.size(); ++at) layers_.push_back(layer_after(at));
    const auto steps = static_cast<double>(std::max<size_t>(1, problem.size()));
    if (options.tolerance > 0 && std::isfinite(options.most_ms)) {
      slack_ms_ = options.tolerance * options.most_ms / steps;
      slack_mj_ = options.tolerance * largest_energy() / steps;
    }
  }

  StateSearchResult run() {
    std::vector<State> states(1);
    states.front().free_ms.assign(problem_.devices.size(), 0);
    for (size_t at = 0; at < order_.size(); ++at) {
      states = kept(children_of(states, at));
      std::vector<Origin> origins;
      for (const State& state : states) origins.push_back(state.origin);
      origins_.push_back(std::move(origins));
    }
    for (size_t i = 0; i < states.size(); ++i) {
      FrontPoint point = front_point(problem_, placement_of(i));
      if (!options_.counts_energy && !is_shortest(point)) continue;
      if (!options_.counts_energy) result_.front = {};
      result_.front.add(std::move(point));
    }
    return std::move(result_);
  }

 private:
  bool is_shortest(const FrontPoint& point) const {
    const auto& points = result_.front.points();
    return points.empty() || point.makespan_ms < points.front().makespan_ms;
  }

  void find_tails() {
    tails_.assign(problem_.size(), 0);
    longest_transfer_.assign(problem_.size(), 0);
    readers_.resize(problem_.size());
    for (size_t i = problem_.size(); i-- > 0;) {
      tails_[i] += problem_.fastest_ms(i);
      const std::vector<UnitNeed>& needs = problem_.needs(i);
      for (size_t need = 0; need < needs.size(); ++need) {
        const auto maker = static_cast<size_t>(needs[need].unit);
        const double transfer_ms = problem_.transfers[i][need].ms;
        tails_[maker] = std::max(tails_[maker], tails_[i]);
        longest_transfer_[maker] = std::max(longest_transfer_[maker], transfer_ms);
        readers_[maker].push_back(i);
      }
    }
  }

  double largest_energy() const {
    double sum = problem_.idle_w * options_.most_ms;
    for (size_t i = 0; i < problem_.size(); ++i) sum += problem_.largest_energy(i);
    return sum;
  }

  Layer layer_after(size_t at) const {
    std::vector<bool> is_placed(problem_.size(), false);
    for (size_t i = 0; i <= at; ++i) is_placed[static_cast<size_t>(order_[i])] = true;
    Layer layer;
    for (size_t unit = 0; unit < problem_.size(); ++unit) {
      if (is_placed[unit]) {
        const bool is_read =
            std::ranges::any_of(readers_[unit], [&](size_t reader) { return !is_placed[reader]; });
        if (is_read) layer.live.push_back(unit);
        continue;
      }
      layer.left_ms += problem_.fastest_ms(unit);
      layer.left_mj += problem_.least_energy(unit);
      const bool is_open = std::ranges::all_of(problem_.needs(unit), [&](const UnitNeed& need) {
        return is_placed[static_cast<size_t>(need.unit)];
      });
      if (is_open) layer.open.push_back(unit);
    }
    return layer;
  }

  std::vector<State> children_of(const std::vector<State>& states, size_t at) {
    std::vector<State> children;
    // arrival_of reads both by unit; only those of live units count.
    Placement placement(problem_.size(), 0);
    std::vector<double> ends(problem_.size(), 0);
    for (size_t parent = 0; parent < states.size(); ++parent) {
      const State& state = states[parent];
      for (size_t i = 0; at > 0 && i < layers_[at - 1].live.size(); ++i) {
        placement[layers_[at - 1].live[i]] = state.devices[i];
        ends[layers_[at - 1].live[i]] = state.ends_ms[i];
      }
      for (size_t device = 0; device < problem_.devices.size(); ++device) {
        State child = child_of(state, at, device, placement, ends);
        child.origin = {parent, static_cast<uint8_t>(device)};
        if (child.bound_ms > options_.most_ms) continue;
        if (options_.counts_energy && child.bound_mj > options_.most_mj) continue;
        children.push_back(std::move(child));
      }
    }
    return children;
  }

  State child_of(const State& state, size_t at, size_t device, Placement& placement,
                 std::vector<double>& ends) const {
    const auto number = static_cast<size_t>(order_[at]);
    const Arrival arrival = arrival_of(problem_, number, device, placement, ends);
    State child;
    child.free_ms = state.free_ms;
    child.free_ms[device] =
        std::max(state.free_ms[device], arrival.at_ms) + problem_.times_ms[number][device];
    child.energy_mj = state.energy_mj + arrival.transfer_mj;
    child.energy_mj += problem_.energy_of(number, device);
    placement[number] = static_cast<int>(device);
    ends[number] = child.free_ms[device];
    const Layer& layer = layers_[at];
    const double floor_ms = floor_of(layer, ends);
    for (double& free : child.free_ms) free = std::max(free, floor_ms);
    for (const size_t live : layer.live) {
      child.ends_ms.push_back(std::max(ends[live], floor_ms - longest_transfer_[live]));
      child.devices.push_back(placement[live]);
    }
    child.bound_ms = std::max(state.bound_ms, bound_of(layer, ends, child));
    child.bound_mj = child.energy_mj + layer.left_mj + problem_.idle_w * child.bound_ms;
    return child;
  }

  /// No unit that follows starts before all that the readiest of them needs is there: what is free
  /// or there before that counts as if it were so then, so that more states are equal.
  double floor_of(const Layer& layer, const std::vector<double>& ends) const {
    double floor_ms = layer.open.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (const size_t unit : layer.open) {
      double ready = 0;
      for (const UnitNeed& need : problem_.needs(unit)) {
        ready = std::max(ready, ends[static_cast<size_t>(need.unit)]);
      }
      floor_ms = std::min(floor_ms, ready);
    }
    return floor_ms;
  }

  double bound_of(const Layer& layer, const std::vector<double>& ends, const State& child) const {
    double bound = *std::ranges::max_element(child.free_ms);
    const double loads = std::accumulate(child.free_ms.begin(), child.free_ms.end(), layer.left_ms);
    bound = std::max(bound, loads / static_cast<double>(child.free_ms.size()));
    for (const size_t unit : layer.open) {
      for (const UnitNeed& need : problem_.needs(unit)) {
        bound = std::max(bound, ends[static_cast<size_t>(need.unit)] + tails_[unit]);
      }
    }
    return bound;
  }

  bool beats(const State& a, const State& b) const {
    if (options_.counts_energy && a.energy_mj > b.energy_mj + slack_mj_) return false;
    for (size_t i = 0; i < a.free_ms.size(); ++i) {
      if (a.free_ms[i] > b.free_ms[i] + slack_ms_) return false;
    }
    for (size_t i = 0; i < a.ends_ms.size(); ++i) {
      if (a.ends_ms[i] > b.ends_ms[i] + slack_ms_) return false;
    }
    return true;
  }

  std::vector<State> kept(std::vector<State> children) {
    const auto key = [&](const State& state) {
      return options_.counts_energy ? state.bound_mj : state.bound_ms;
    };
    std::ranges::stable_sort(children, {}, key);
    std::map<Placement, std::vector<size_t>> by_place;
    std::vector<State> states;
    for (State& child : children) {
      std::vector<size_t>& rivals = by_place[child.devices];
      const bool is_beaten =
          std::ranges::any_of(rivals, [&](size_t rival) { return beats(states[rival], child); });
      if (is_beaten) continue;
      rivals.push_back(states.size());
      states.push_back(std::move(child));
    }
    return states.size() <= options_.most_states ? states : thinned(std::move(states));
  }

  /// The first ones; with energy, half of them, and others evenly to the last.
  std::vector<State> thinned(std::vector<State> states) {
    result_.is_complete = false;
    const size_t first = options_.most_states / (options_.counts_energy ? 2 : 1);
    const size_t others = options_.counts_energy ? options_.most_states - first : 0;
    const size_t rest = states.size() - first;
    for (size_t i = 0; i < others; ++i) {
      std::swap(states[first + i], states[first + i * rest / others]);
    }
    for (size_t i = first + others; i < states.size(); ++i) {
      const double bound = options_.counts_energy ? states[i].bound_mj : states[i].bound_ms;
      result_.dropped_bound = std::min(result_.dropped_bound, bound);
    }
    states.resize(first + others);
    return states;
  }

  Placement placement_of(size_t state) const {
    Placement placement(problem_.size(), 0);
    for (size_t at = order_.size(); at-- > 0;) {
      const Origin& origin = origins_[at][state];
      placement[static_cast<size_t>(order_[at])] = origin.device;
      state = origin.parent;
    }
    return placement;
  }

  const PlacementProblem& problem_;
  const StateSearchOptions& options_;
  std::vector<int> order_;
  std::vector<double> tails_;  ///< longest way of fastest times from each unit's start to the end
  std::vector<double> longest_transfer_;
  std::vector<std::vector<size_t>> readers_;
  std::vector<Layer> layers_;
  std::vector<std::vector<Origin>> origins_;  ///< by position in the order
  double slack_ms_ = 0, slack_mj_ = 0;
  StateSearchResult result_;
};

}  // namespace

StateSearchResult search_states(const PlacementProblem& problem,
                                const StateSearchOptions& options) {
  return StateSearch(problem, options).run();
}

}  // namespace opbench
