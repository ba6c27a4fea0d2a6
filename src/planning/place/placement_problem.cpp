#include "planning/place/placement_problem.h"

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

bool are_numbers(const std::vector<double>& numbers, size_t count, bool may_be_0) {
  return numbers.size() == count && std::ranges::all_of(numbers, [&](double number) {
           return std::isfinite(number) && (number > 0 || (may_be_0 && number == 0));
         });
}

}  // namespace

Result<void> check_problem(const PlacementProblem& problem) {
  if (problem.devices.empty()) return invalid_input("there is no device");
  if (!std::isfinite(problem.idle_w) || problem.idle_w < 0)
    return invalid_input("idle power below 0");
  for (size_t i = 0; i < problem.size(); ++i) {
    const DeviceUnit& unit = problem.units[i];
    const std::string who = "unit " + std::to_string(i) + " \"" + unit.name + "\" ";
    if (!are_numbers(unit.times_ms, problem.devices.size(), false)) {
      return invalid_input(who + "does not have a time above 0 for every device");
    }
    if (!unit.energy_mj.empty() && !are_numbers(unit.energy_mj, problem.devices.size(), true)) {
      return invalid_input(who + "does not have an energy for every device");
    }
    for (const TransferNeed& need : unit.needs) {
      if (need.unit < 0 || need.unit >= static_cast<int>(i)) {
        return invalid_input(who + "needs unit " + std::to_string(need.unit) +
                             ", which does not come before it");
      }
      if (!are_numbers({need.transfer_ms, need.transfer_mj}, 2, true)) {
        return invalid_input(who + "has a transfer below 0 or not finite");
      }
    }
  }
  return {};
}

std::vector<int> rank_order(const PlacementProblem& problem) {
  std::vector<double> ranks(problem.size(), 0);
  for (size_t i = problem.size(); i-- > 0;) {
    double sum = 0;
    for (const double time : problem.units[i].times_ms) sum += time;
    ranks[i] += sum / static_cast<double>(problem.devices.size());
    for (const TransferNeed& need : problem.units[i].needs) {
      double& before = ranks[static_cast<size_t>(need.unit)];
      before = std::max(before, ranks[i] + need.transfer_ms);
    }
  }
  std::vector<int> order(problem.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](int unit) { return ranks[static_cast<size_t>(unit)]; });
  return order;
}

Arrival arrival_of(const DeviceUnit& unit, size_t device, const Placement& placement,
                   const std::vector<double>& end_ms) {
  Arrival arrival;
  for (const TransferNeed& need : unit.needs) {
    const auto maker = static_cast<size_t>(need.unit);
    const bool moves = placement[maker] != static_cast<int>(device);
    arrival.at_ms = std::max(arrival.at_ms, end_ms[maker] + (moves ? need.transfer_ms : 0));
    arrival.transfer_mj += moves ? need.transfer_mj : 0;
  }
  return arrival;
}

PlacementCost cost_of(const PlacementProblem& problem, const std::vector<int>& order,
                      const Placement& placement) {
  PlacementCost cost;
  std::vector<double> free(problem.devices.size(), 0), loads(free), end(problem.size(), 0);
  for (const int number : order) {
    const auto at = static_cast<size_t>(number);
    const DeviceUnit& unit = problem.units[at];
    const auto device = static_cast<size_t>(placement[at]);
    const Arrival arrival = arrival_of(unit, device, placement, end);
    end[at] = free[device] = std::max(free[device], arrival.at_ms) + unit.times_ms[device];
    cost.energy_mj += arrival.transfer_mj;
    loads[device] += unit.times_ms[device];
    if (!unit.energy_mj.empty()) cost.energy_mj += unit.energy_mj[device];
    cost.makespan_ms = std::max(cost.makespan_ms, end[at]);
  }
  for (const double load : loads) cost.load_norm += std::pow(load, 4);
  cost.load_norm = std::pow(cost.load_norm, 0.25);
  cost.energy_mj += problem.idle_w * cost.makespan_ms;  // 1 W × 1 ms = 1 mJ
  return cost;
}

double potential_of(const PlacementCost& cost, const PlacementGoal& goal) {
  constexpr double kNormShare = 0.05;
  constexpr double kTooLong = 1e6;  // mJ for a ms
  const bool is_priced = goal.price_mj_per_ms && !goal.least_energy_within_ms;
  if (is_priced) return cost.energy_mj + *goal.price_mj_per_ms * cost.makespan_ms;
  if (!goal.least_energy_within_ms) return cost.makespan_ms + kNormShare * cost.load_norm;
  const double excess = std::max(0.0, cost.makespan_ms - *goal.least_energy_within_ms);
  return cost.energy_mj + kTooLong * excess;
}

}  // namespace opbench
