#include "planning/place/share_placement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace opbench {
namespace {

constexpr size_t kKeptOfCounts = 128;
constexpr size_t kMostUnitsOfSwaps = 200;  // all pairs of units are tried

/// Units on each device.
std::vector<int> counts_of(const ShareLimits& limits, const Placement& placement) {
  std::vector<int> counts(limits.least.size(), 0);
  for (const int device : placement) ++counts[static_cast<size_t>(device)];
  return counts;
}

bool may_run(const ShareLimits& limits, size_t unit, size_t device) {
  return limits.fixed.empty() || limits.fixed[unit] < 0 ||
         limits.fixed[unit] == static_cast<int>(device);
}

/// The first units of the rank order, placed.
struct SharedPrefix {
  Placement placement;
  std::vector<double> free_ms, end_ms;
  std::vector<int> missing;  ///< units that each device still must run
  double makespan_ms = 0;

  std::tuple<double, double> cost() const {
    double sum = 0;
    for (const double free : free_ms) sum += free;
    return {makespan_ms, sum};
  }
};

using Beam = std::map<std::vector<int>, std::vector<SharedPrefix>>;  ///< by `missing`

class ShareSearch {
 public:
  ShareSearch(const PlacementProblem& problem, const ShareLimits& limits)
      : problem_(problem), limits_(limits), order_(rank_order(problem)) {
    // How many of the last units may run on each device, from each position on.
    left_.assign(order_.size() + 1, std::vector<int>(problem.devices.size(), 0));
    for (size_t at = order_.size(); at-- > 0;) {
      left_[at] = left_[at + 1];
      for (size_t device = 0; device < problem.devices.size(); ++device) {
        if (may_run(limits, static_cast<size_t>(order_[at]), device)) ++left_[at][device];
      }
    }
  }

  Placement run() {
    SharedPrefix first{.placement = Placement(problem_.size(), 0),
                       .free_ms = std::vector<double>(problem_.devices.size(), 0),
                       .end_ms = std::vector<double>(problem_.size(), 0),
                       .missing = limits_.least};
    Beam beam = {{first.missing, {first}}};
    for (size_t at = 0; at < order_.size(); ++at) beam = after(beam, at);
    std::vector<SharedPrefix> ends;
    for (auto& [missing, states] : beam) {
      for (SharedPrefix& state : states) ends.push_back(std::move(state));
    }
    return improved(std::ranges::min_element(ends, {}, &SharedPrefix::cost)->placement);
  }

 private:
  Beam after(const Beam& beam, size_t at) const {
    Beam next;
    const auto unit = static_cast<size_t>(order_[at]);
    for (const auto& [missing, states] : beam) {
      for (const SharedPrefix& state : states) {
        for (size_t device = 0; device < problem_.devices.size(); ++device) {
          if (!may_run(limits_, unit, device)) continue;
          SharedPrefix child = state;
          child.missing[device] = std::max(0, child.missing[device] - 1);
          if (!can_end(child, at + 1)) continue;
          place(unit, device, child);
          next[child.missing].push_back(std::move(child));
        }
      }
    }
    for (auto& [missing, states] : next) {
      if (states.size() <= kKeptOfCounts) continue;
      std::ranges::stable_sort(states, {}, &SharedPrefix::cost);
      states.resize(kKeptOfCounts);
    }
    return next;
  }

  bool can_end(const SharedPrefix& state, size_t at) const {
    int sum = 0;
    for (size_t device = 0; device < state.missing.size(); ++device) {
      if (state.missing[device] > left_[at][device]) return false;
      sum += state.missing[device];
    }
    return sum <= static_cast<int>(order_.size() - at);
  }

  void place(size_t unit, size_t device, SharedPrefix& state) const {
    const Arrival arrival = arrival_of(problem_, unit, device, state.placement, state.end_ms);
    const double start = std::max(state.free_ms[device], arrival.at_ms);
    state.placement[unit] = static_cast<int>(device);
    state.end_ms[unit] = state.free_ms[device] = start + problem_.times_ms[unit][device];
    state.makespan_ms = std::max(state.makespan_ms, state.end_ms[unit]);
  }

  double makespan(const Placement& placement) const {
    return cost_of(problem_, order_, placement).makespan_ms;
  }

  /// Takes each change that shortens the makespan, until none does.
  Placement improved(Placement placement) const {
    double least = makespan(placement);
    const auto try_change = [&](const Placement& changed) {
      if (!keeps_limits(limits_, changed)) return false;
      const double changed_ms = makespan(changed);
      constexpr double kGain = 1e-9;
      if (changed_ms >= least * (1 - kGain)) return false;
      least = changed_ms;
      placement = changed;
      return true;
    };
    for (bool has_gained = true; has_gained;) {
      has_gained = false;
      for (size_t unit = 0; unit < placement.size(); ++unit) {
        for (size_t device = 0; device < problem_.devices.size(); ++device) {
          Placement changed = placement;
          changed[unit] = static_cast<int>(device);
          has_gained = try_change(changed) || has_gained;
        }
        if (placement.size() > kMostUnitsOfSwaps) continue;
        for (size_t other = 0; other < unit; ++other) {
          if (placement[unit] == placement[other]) continue;
          Placement changed = placement;
          std::swap(changed[unit], changed[other]);
          has_gained = try_change(changed) || has_gained;
        }
      }
    }
    return placement;
  }

  const PlacementProblem& problem_;
  const ShareLimits& limits_;
  std::vector<int> order_;
  std::vector<std::vector<int>> left_;  ///< by position, then by device
};

std::string percents_text(const PlacementProblem& problem, const std::vector<DeviceShare>& shares,
                          const ShareLimits& limits) {
  std::string text;
  for (const DeviceShare& share : shares) {
    const auto device = static_cast<size_t>(share.device);
    if (!text.empty()) text += ", ";
    text += std::to_string(limits.least[device]) + " on " + problem.devices[device];
  }
  return text;
}

}  // namespace

Result<ShareLimits> limits_of(const PlacementProblem& problem,
                              const std::vector<DeviceShare>& shares, std::vector<int> fixed) {
  constexpr double kRounding = 1e-9;
  ShareLimits limits{.least = std::vector<int>(problem.devices.size(), 0),
                     .fixed = std::move(fixed)};
  const auto units = static_cast<double>(problem.size());
  int sum = 0;
  for (const DeviceShare& share : shares) {
    int& least = limits.least[static_cast<size_t>(share.device)];
    least = static_cast<int>(std::ceil(share.percent / 100 * units - kRounding));
    sum += least;
  }
  const std::string asked = percents_text(problem, shares, limits);
  if (sum > static_cast<int>(problem.size())) {
    return invalid_input("the shares are of more units than the model has")
        .with("units", std::to_string(problem.size()))
        .with("at least", asked);
  }
  for (size_t device = 0; device < limits.least.size(); ++device) {
    int most = 0;
    for (size_t unit = 0; unit < problem.size(); ++unit) {
      if (may_run(limits, unit, device)) ++most;
    }
    if (limits.least[device] <= most) continue;
    return invalid_input("only " + std::to_string(most) + " of " + std::to_string(problem.size()) +
                         " units have a kernel for " + problem.devices[device])
        .with("at least", asked);
  }
  return limits;
}

bool keeps_limits(const ShareLimits& limits, const Placement& placement) {
  const std::vector<int> counts = counts_of(limits, placement);
  for (size_t device = 0; device < counts.size(); ++device) {
    if (counts[device] < limits.least[device]) return false;
  }
  for (size_t unit = 0; unit < placement.size(); ++unit) {
    if (!may_run(limits, unit, static_cast<size_t>(placement[unit]))) return false;
  }
  return true;
}

Placement share_placement(const PlacementProblem& problem, const ShareLimits& limits) {
  return ShareSearch(problem, limits).run();
}

}  // namespace opbench
