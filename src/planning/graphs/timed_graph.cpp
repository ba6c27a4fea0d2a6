#include "planning/graphs/timed_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace opbench {
namespace {

bool are_times(const std::vector<double>& times, size_t count) {
  return times.size() == count &&
         std::ranges::all_of(times, [](double time) { return std::isfinite(time) && time > 0; });
}

Result<void> check_teams(const std::vector<int>& teams) {
  const bool ascends = std::ranges::adjacent_find(teams, std::greater_equal<>()) == teams.end();
  if (!teams.empty() && teams.front() == 1 && ascends) return {};
  return invalid_input("the sizes of teams do not begin with 1 and ascend");
}

/// Every unit has a row in both tables, and every edge a cost.
Result<void> check_rows(const TimedGraph& timed) {
  if (timed.times.units.size() != timed.size() || timed.costs.size() != timed.size()) {
    return invalid_input("there are " + std::to_string(timed.size()) + " units, times of " +
                         std::to_string(timed.times.units.size()) + " and costs of edges of " +
                         std::to_string(timed.costs.size()));
  }
  for (size_t i = 0; i < timed.size(); ++i) {
    if (timed.costs[i].size() == timed.graph.units[i].needs.size()) continue;
    return invalid_input(quoted_unit(timed.graph, i) + " does not have a cost for each edge");
  }
  return {};
}

Result<void> check_times_of(const TimedGraph& timed, size_t number) {
  const std::string who = quoted_unit(timed.graph, number);
  for (const EdgeCost& cost : timed.costs[number]) {
    if (!std::isfinite(cost.handoff_ms) || cost.handoff_ms < 0) {
      return invalid_input(who + " has a hand-off time below 0 or not finite");
    }
    if (!std::isfinite(cost.transfer_ms) || cost.transfer_ms < 0) {
      return invalid_input(who + " has a transfer time below 0 or not finite");
    }
  }
  const UnitTimes& times = timed.times.units[number];
  if (!are_times(times.times_ms, timed.times.teams.size())) {
    return invalid_input(who + " does not have a time above 0 for every team");
  }
  if (!(times.reuse_ms >= 0 && times.reuse_ms < times.times_ms.front())) {
    return invalid_input(who +
                         " saves a time below 0, or more than it takes, where weights are reused");
  }
  return {};
}

Result<void> check_merges(const TimedGraph& timed) {
  if (timed.times.merges.empty()) return {};
  const auto ancestors = ancestors_of(timed.graph);
  for (const MergedUnits& merge : timed.times.merges) {
    const bool ascends =
        std::ranges::adjacent_find(merge.units, std::greater_equal<>()) == merge.units.end();
    const bool are_units = merge.units.size() > 1 && ascends && merge.units.front() >= 0 &&
                           merge.units.back() < static_cast<int>(timed.size());
    if (!are_units || !are_times(merge.times_ms, timed.times.teams.size())) {
      return invalid_input(
          "merged units are no ascending units with a time above 0 for every team");
    }
    for (const int a : merge.units) {
      for (const int b : merge.units) {
        if (!ancestors[static_cast<size_t>(b)][static_cast<size_t>(a)]) continue;
        return invalid_input("merged units " + std::to_string(a) + " and " + std::to_string(b) +
                             " depend on each other");
      }
    }
  }
  return {};
}

}  // namespace

void TimedGraph::add(GraphUnit unit, UnitTimes unit_times, std::vector<EdgeCost> edge_costs) {
  if (edge_costs.empty()) edge_costs.resize(unit.needs.size());
  graph.units.push_back(std::move(unit));
  times.units.push_back(std::move(unit_times));
  costs.push_back(std::move(edge_costs));
}

Result<void> check_timed(const TimedGraph& timed) {
  OPBENCH_CHECK(check_teams(timed.times.teams));
  OPBENCH_CHECK(check_rows(timed));
  for (size_t i = 0; i < timed.size(); ++i) {
    OPBENCH_CHECK(check_unit(timed.graph, i));
    OPBENCH_CHECK(check_times_of(timed, i));
  }
  return check_merges(timed);
}

double reuse_ms(const TimedGraph& timed, int before, int unit) {
  const int weights = timed.unit(unit).weights;
  const bool is_same = weights != GraphUnit::kNoWeights && timed.unit(before).weights == weights;
  return is_same ? timed.times_of(unit).reuse_ms : 0;
}

size_t teams_within(const TimedGraph& timed, int workers) {
  const std::vector<int>& teams = timed.times.teams;
  const auto beyond = std::ranges::upper_bound(teams, workers);
  return std::max<size_t>(1, static_cast<size_t>(beyond - teams.begin()));
}

size_t fastest_team(const TimedGraph& timed, int unit, int workers) {
  const std::vector<double>& times = timed.times_of(unit).times_ms;
  const auto end = times.begin() + static_cast<int64_t>(teams_within(timed, workers));
  return static_cast<size_t>(std::min_element(times.begin(), end) - times.begin());
}

double fastest_ms(const TimedGraph& timed, int unit, int workers) {
  return timed.time_ms(unit, fastest_team(timed, unit, workers));
}

double least_area_ms(const TimedGraph& timed, int unit, int workers) {
  double least = std::numeric_limits<double>::infinity();
  for (size_t team = 0; team < teams_within(timed, workers); ++team) {
    least = std::min(least, timed.times.teams[team] * timed.time_ms(unit, team));
  }
  return least;
}

std::vector<double> tails_of(const TimedGraph& timed, int workers) {
  std::vector<double> tails(timed.size(), 0);
  for (size_t i = timed.size(); i-- > 0;) {
    tails[i] += fastest_ms(timed, static_cast<int>(i), workers);
    for (const UnitNeed& need : timed.graph.units[i].needs) {
      double& before = tails[static_cast<size_t>(need.unit)];
      before = std::max(before, tails[i]);
    }
  }
  return tails;
}

TimedGraph subgraph_of(const TimedGraph& timed, const std::vector<int>& units) {
  TimedGraph part;
  part.times.teams = timed.times.teams;
  std::map<int, int> numbers;
  for (const int unit : units) numbers.emplace(unit, static_cast<int>(numbers.size()));
  for (const int unit : units) {
    GraphUnit copy = timed.unit(unit);
    copy.needs.clear();
    std::vector<EdgeCost> costs;
    const std::vector<UnitNeed>& needs = timed.unit(unit).needs;
    for (size_t i = 0; i < needs.size(); ++i) {
      const auto inside = numbers.find(needs[i].unit);
      if (inside == numbers.end()) continue;
      copy.needs.push_back({inside->second, needs[i].bytes});
      costs.push_back(timed.cost(unit, i));
    }
    part.add(std::move(copy), timed.times_of(unit), std::move(costs));
  }
  for (MergedUnits merge : timed.times.merges) {
    const auto is_inside = [&](int unit) { return numbers.contains(unit); };
    if (!std::ranges::all_of(merge.units, is_inside)) continue;
    for (int& unit : merge.units) unit = numbers.at(unit);
    part.times.merges.push_back(std::move(merge));
  }
  return part;
}

}  // namespace opbench
