#include "experiments/place/place_floor.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "experiments/devices/place_verdict.h"
#include "experiments/place/place_problem.h"
#include "planning/place/placement_methods.h"
#include "planning/place/state_search.h"

namespace opbench {
namespace {

/// The graph's units on two devices with these times.
PlacementProblem problem_of_two(const PlaceGraph& graph, const std::vector<double>& first_ms,
                                const std::vector<double>& second_ms) {
  PlaceGraph two{.model = graph.model, .transfer = graph.transfer};
  two.devices = {{.name = "first"}, {.name = "second"}};
  two.graph = graph.graph;
  for (size_t i = 0; i < two.size(); ++i) two.times_ms.push_back({first_ms[i], second_ms[i]});
  return problem_of(two, {DevicePower{}, DevicePower{}}, 0).value();
}

/// The shortest makespan that the methods find.
double shortest_ms(const PlacementProblem& problem) {
  constexpr size_t kMostStatesOfFloor = 2000;
  constexpr double kRounding = 1e-9;
  const std::vector<int> order = rank_order(problem);
  double shortest = cost_of(problem, order, Placement(problem.size(), 0)).makespan_ms;
  for (const Placement& placement : {Placement(problem.size(), 1), own_fastest(problem),
                                     greedy_placement(problem), heft_placement(problem)}) {
    shortest = std::min(shortest, cost_of(problem, order, placement).makespan_ms);
  }
  const StateSearchResult found = search_states(
      problem,
      {.most_ms = shortest * (1 + kRounding) + kRounding, .most_states = kMostStatesOfFloor});
  if (found.front.points().empty()) return shortest;
  return std::min(shortest, found.front.points().front().makespan_ms);
}

/// Of the device that was timed twice, the first time.
std::vector<double> first_times(const PlaceGraph& graph) {
  const auto found = std::ranges::find(graph.devices, graph.control->device, &PlaceDevice::name);
  const auto device =
      found == graph.devices.end() ? size_t{0} : static_cast<size_t>(found - graph.devices.begin());
  std::vector<double> times;
  for (const std::vector<double>& unit : graph.times_ms) times.push_back(unit[device]);
  return times;
}

/// Units count by their time; what they have in common is no error of one unit.
double unit_error_of(const std::vector<double>& first_ms, const std::vector<double>& second_ms) {
  double weight = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < first_ms.size(); ++i) {
    if (first_ms[i] <= 0 || second_ms[i] <= 0) continue;
    const double ratio = std::log(second_ms[i] / first_ms[i]);
    weight += first_ms[i];
    sum += first_ms[i] * ratio;
    squares += first_ms[i] * ratio * ratio;
  }
  if (weight == 0) return 0;
  const double mean = sum / weight;
  // Both times have the error.
  return std::sqrt(std::max(0.0, squares / weight - mean * mean) / 2);
}

}  // namespace

PlaceFloor place_floor(const PlaceGraph& graph) {
  if (!graph.control) return {};
  const PlaceControl& control = *graph.control;
  const std::vector<double> first_ms = first_times(graph);
  const double equal_ms = shortest_ms(problem_of_two(graph, first_ms, first_ms));
  const double again_ms = shortest_ms(problem_of_two(graph, first_ms, control.times_ms));
  PlaceFloor found;
  found.chance_gain = std::max(0.0, equal_ms / again_ms - 1);
  found.unit_error = unit_error_of(first_ms, control.times_ms);
  found.floor = std::max({kPlaceMargin, found.chance_gain, control.high - 1, 1 / control.low - 1});
  return found;
}

}  // namespace opbench
