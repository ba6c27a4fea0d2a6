#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

#include "planning/planners/stages.h"

/// What best_stages is compared with.
namespace opbench {

inline constexpr double kNoPartition = std::numeric_limits<double>::infinity();

/// The cost of a stage again: groups by walking edges, every way to give teams to groups tried.
class NaiveStageCost {
 public:
  NaiveStageCost(const TimedGraph& timed, int workers) : timed_(timed), workers_(workers) {}

  double of(const std::vector<int>& units) const {
    double best = groups_cost(components(units));
    for (const MergedUnits& merge : timed_.times.merges) {
      if (merge.units != units) continue;
      for (size_t team = 0; team < timed_.times.teams.size(); ++team) {
        if (timed_.times.teams[team] <= workers_) best = std::min(best, merge.times_ms[team]);
      }
    }
    return best;
  }

  std::vector<std::vector<int>> components(const std::vector<int>& units) const {
    std::vector<std::vector<int>> found;
    std::vector<int> left = units;
    while (!left.empty()) {
      std::vector<int> group = {left.front()};
      left.erase(left.begin());
      for (size_t at = 0; at < group.size(); ++at) {
        for (auto other = left.begin(); other != left.end();) {
          const bool meets = needs(group[at], *other) || needs(*other, group[at]);
          if (meets) group.push_back(*other);
          other = meets ? left.erase(other) : std::next(other);
        }
      }
      std::ranges::sort(group);
      found.push_back(group);
    }
    return found;
  }

 private:
  bool needs(int reader, int maker) const {
    return std::ranges::any_of(timed_.unit(reader).needs,
                               [&](const UnitNeed& need) { return need.unit == maker; });
  }

  double time(const std::vector<int>& group, int workers) const {
    double sum = 0;
    for (const int unit : group) {
      double best = kNoPartition;
      for (size_t team = 0; team < timed_.times.teams.size(); ++team) {
        if (timed_.times.teams[team] <= workers) best = std::min(best, timed_.time_ms(unit, team));
      }
      sum += best;
    }
    return sum;
  }

  double groups_cost(const std::vector<std::vector<int>>& groups) const {
    if (groups.size() == 1) return time(groups[0], workers_);
    if (static_cast<int>(groups.size()) <= workers_) return best_shares(groups, 0, workers_);
    std::vector<double> times;
    for (const auto& group : groups) times.push_back(time(group, 1));
    std::ranges::sort(times, std::greater<>());
    std::vector<double> loads(static_cast<size_t>(workers_), 0);
    for (const double time : times) *std::ranges::min_element(loads) += time;
    return *std::ranges::max_element(loads);
  }

  double best_shares(const std::vector<std::vector<int>>& groups, size_t at, int left) const {
    if (at == groups.size()) return 0;
    double best = kNoPartition;
    for (const int team : timed_.times.teams) {
      if (team > left) continue;
      best = std::min(best,
                      std::max(time(groups[at], team), best_shares(groups, at + 1, left - team)));
    }
    return best;
  }

  const TimedGraph& timed_;
  int workers_;
};

/// Every sequence of stages, from the front, cut off where it is no better than the best.
class EveryPartition {
 public:
  EveryPartition(const TimedGraph& timed, int workers, const StageLimits& limits = {})
      : timed_(timed), limits_(limits), cost_(timed, workers) {}

  double best() {
    visit(0, 0);
    return best_;
  }

 private:
  double cost_of(UnitMask set, const std::vector<int>& stage) {
    const auto [known, is_new] = costs_.emplace(set, 0);
    if (is_new) known->second = is_allowed(stage) ? cost_.of(stage) : kNoPartition;
    return known->second;
  }

  bool is_allowed(const std::vector<int>& stage) const {
    const auto groups = cost_.components(stage);
    if (limits_.most_groups > 0 && int(groups.size()) > limits_.most_groups) return false;
    return std::ranges::none_of(groups, [&](const auto& group) {
      return limits_.most_units > 0 && int(group.size()) > limits_.most_units;
    });
  }

  void visit(UnitMask done, double cost) {
    if (cost >= best_) return;
    if (done + 1 == UnitMask{1} << timed_.size()) {
      best_ = cost;
      return;
    }
    // All sets of units that are not done whose needs are done or in the set.
    const UnitMask left = ((UnitMask{1} << timed_.size()) - 1) & ~done;
    for (UnitMask set = left; set != 0; set = (set - 1) & left) {
      std::vector<int> stage;
      bool is_closed = true;
      for (size_t i = 0; i < timed_.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        stage.push_back(static_cast<int>(i));
        for (const UnitNeed& need : timed_.graph.units[i].needs) {
          is_closed = is_closed && ((done | set) >> need.unit & 1) != 0;
        }
      }
      if (is_closed) visit(done | set, cost + cost_of(set, stage));
    }
  }

  const TimedGraph& timed_;
  StageLimits limits_;
  NaiveStageCost cost_;
  std::unordered_map<UnitMask, double> costs_;  ///< of stages
  double best_ = kNoPartition;
};

}  // namespace opbench
