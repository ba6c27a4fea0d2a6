#include "planning/graphs/unit_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace opbench {
namespace {

std::string quoted(const TimedGraph& graph, size_t unit) {
  return "unit " + std::to_string(unit) + " \"" + graph.units[unit].name + "\"";
}

bool are_times(const std::vector<double>& times, size_t count) {
  return times.size() == count &&
         std::ranges::all_of(times, [](double time) { return std::isfinite(time) && time > 0; });
}

Result<void> check_teams(const std::vector<int>& teams) {
  const bool ascends = std::ranges::adjacent_find(teams, std::greater_equal<>()) == teams.end();
  if (!teams.empty() && teams.front() == 1 && ascends) return {};
  return invalid_input("the sizes of teams do not begin with 1 and ascend");
}

Result<void> check_unit(const TimedGraph& graph, size_t number) {
  const TimedUnit& unit = graph.units[number];
  std::vector<int> seen;
  for (const UnitNeed& need : unit.needs) {
    if (need.unit < 0 || need.unit >= static_cast<int>(number)) {
      return invalid_input(quoted(graph, number) + " needs unit " + std::to_string(need.unit) +
                           ", which does not come before it");
    }
    if (std::ranges::find(seen, need.unit) != seen.end()) {
      return invalid_input(quoted(graph, number) + " needs unit " + std::to_string(need.unit) +
                           " twice");
    }
    if (!std::isfinite(need.handoff_ms) || need.handoff_ms < 0) {
      return invalid_input(quoted(graph, number) + " has a hand-off time below 0 or not finite");
    }
    if (!std::isfinite(need.transfer_ms) || need.transfer_ms < 0) {
      return invalid_input(quoted(graph, number) + " has a transfer time below 0 or not finite");
    }
    seen.push_back(need.unit);
  }
  if (!are_times(unit.times_ms, graph.teams.size())) {
    return invalid_input(quoted(graph, number) + " does not have a time above 0 for every team");
  }
  if (!(unit.reuse_ms >= 0 && unit.reuse_ms < unit.times_ms.front())) {
    return invalid_input(quoted(graph, number) +
                         " saves a time below 0, or more than it takes, where weights are reused");
  }
  return {};
}

Result<void> check_merges(const TimedGraph& graph) {
  if (graph.merges.empty()) return {};
  const auto ancestors = ancestors_of(graph);
  for (const MergedUnits& merge : graph.merges) {
    const bool ascends =
        std::ranges::adjacent_find(merge.units, std::greater_equal<>()) == merge.units.end();
    const bool are_units = merge.units.size() > 1 && ascends && merge.units.front() >= 0 &&
                           merge.units.back() < static_cast<int>(graph.size());
    if (!are_units || !are_times(merge.times_ms, graph.teams.size())) {
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

Result<void> check_graph(const TimedGraph& graph) {
  OPBENCH_CHECK(check_teams(graph.teams));
  for (size_t i = 0; i < graph.size(); ++i) OPBENCH_CHECK(check_unit(graph, i));
  return check_merges(graph);
}

std::vector<std::vector<int>> successors_of(const TimedGraph& graph) {
  std::vector<std::vector<int>> successors(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.units[i].needs) {
      successors[static_cast<size_t>(need.unit)].push_back(static_cast<int>(i));
    }
  }
  return successors;
}

double reuse_ms(const TimedGraph& graph, int before, int unit) {
  const TimedUnit& timed = graph.unit(unit);
  const bool is_same =
      timed.weights != TimedUnit::kNoWeights && graph.unit(before).weights == timed.weights;
  return is_same ? timed.reuse_ms : 0;
}

size_t teams_within(const TimedGraph& graph, int workers) {
  const auto beyond = std::ranges::upper_bound(graph.teams, workers);
  return std::max<size_t>(1, static_cast<size_t>(beyond - graph.teams.begin()));
}

size_t fastest_team(const TimedGraph& graph, int unit, int workers) {
  const auto& times = graph.unit(unit).times_ms;
  const auto end = times.begin() + static_cast<int64_t>(teams_within(graph, workers));
  return static_cast<size_t>(std::min_element(times.begin(), end) - times.begin());
}

double fastest_ms(const TimedGraph& graph, int unit, int workers) {
  return graph.time_ms(unit, fastest_team(graph, unit, workers));
}

double least_area_ms(const TimedGraph& graph, int unit, int workers) {
  double least = std::numeric_limits<double>::infinity();
  for (size_t team = 0; team < teams_within(graph, workers); ++team) {
    least = std::min(least, graph.teams[team] * graph.time_ms(unit, team));
  }
  return least;
}

std::vector<double> tails_of(const TimedGraph& graph, int workers) {
  std::vector<double> tails(graph.size(), 0);
  for (size_t i = graph.size(); i-- > 0;) {
    tails[i] += fastest_ms(graph, static_cast<int>(i), workers);
    for (const UnitNeed& need : graph.units[i].needs) {
      double& before = tails[static_cast<size_t>(need.unit)];
      before = std::max(before, tails[i]);
    }
  }
  return tails;
}

std::vector<BitSet> ancestors_of(const TimedGraph& graph) {
  std::vector<BitSet> ancestors(graph.size(), BitSet(graph.size()));
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.units[i].needs) {
      const auto before = static_cast<size_t>(need.unit);
      ancestors[i].add(before);
      ancestors[i].add_all(ancestors[before]);
    }
  }
  return ancestors;
}

TimedGraph subgraph_of(const TimedGraph& graph, const std::vector<int>& units) {
  TimedGraph part;
  part.teams = graph.teams;
  std::map<int, int> numbers;
  for (const int unit : units) numbers.emplace(unit, static_cast<int>(numbers.size()));
  for (const int unit : units) {
    TimedUnit copy = graph.unit(unit);
    std::erase_if(copy.needs, [&](const UnitNeed& need) { return !numbers.contains(need.unit); });
    for (UnitNeed& need : copy.needs) need.unit = numbers.at(need.unit);
    part.units.push_back(std::move(copy));
  }
  for (MergedUnits merge : graph.merges) {
    const auto is_inside = [&](int unit) { return numbers.contains(unit); };
    if (!std::ranges::all_of(merge.units, is_inside)) continue;
    for (int& unit : merge.units) unit = numbers.at(unit);
    part.merges.push_back(std::move(merge));
  }
  return part;
}

std::vector<std::vector<int>> pieces_of(const TimedGraph& graph) {
  const auto ancestors = ancestors_of(graph);
  // For every unit the length of the longest beginning of the sequence that it needs as a whole;
  // a cut lies where every later unit needs all before it.
  std::vector<size_t> prefix(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    while (prefix[i] < i && ancestors[i][prefix[i]]) ++prefix[i];
  }
  std::vector<std::vector<int>> pieces;
  std::vector<size_t> least(graph.size() + 1, graph.size());
  for (size_t i = graph.size(); i-- > 0;) least[i] = std::min(least[i + 1], prefix[i]);
  for (size_t i = 0; i < graph.size(); ++i) {
    if (i == 0 || least[i] >= i) pieces.emplace_back();
    pieces.back().push_back(static_cast<int>(i));
  }
  return pieces;
}

}  // namespace opbench
