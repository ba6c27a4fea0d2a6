#include "planning/place/placement_problem.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace opbench {
namespace {

bool are_numbers(const std::vector<double>& numbers, size_t count, bool may_be_0) {
  return numbers.size() == count && std::ranges::all_of(numbers, [&](double number) {
           return std::isfinite(number) && (number > 0 || (may_be_0 && number == 0));
         });
}

/// Every unit has a row in each table, and every edge a transfer.
Result<void> check_rows(const PlacementProblem& problem, size_t unit, const std::string& who) {
  const size_t devices = problem.devices.size();
  if (!are_numbers(problem.times_ms[unit], devices, false)) {
    return invalid_input(who + "does not have a time above 0 for every device");
  }
  if (!problem.energy_mj.empty() && !are_numbers(problem.energy_mj[unit], devices, true)) {
    return invalid_input(who + "does not have an energy for every device");
  }
  OPBENCH_CHECK(check_unit(problem.graph, unit));
  const std::vector<EdgeTransfer>& transfers = problem.transfers[unit];
  if (transfers.size() != problem.needs(unit).size()) {
    return invalid_input(who + "does not have a transfer for each edge");
  }
  for (const EdgeTransfer& transfer : transfers) {
    if (are_numbers({transfer.ms, transfer.mj}, 2, true)) continue;
    return invalid_input(who + "has a transfer below 0 or not finite");
  }
  return {};
}

}  // namespace

void PlacementProblem::add(GraphUnit unit, std::vector<double> unit_ms, std::vector<double> unit_mj,
                           std::vector<EdgeTransfer> edge_transfers) {
  if (edge_transfers.empty()) edge_transfers.resize(unit.needs.size());
  graph.units.push_back(std::move(unit));
  times_ms.push_back(std::move(unit_ms));
  if (!unit_mj.empty()) energy_mj.push_back(std::move(unit_mj));
  transfers.push_back(std::move(edge_transfers));
}

double PlacementProblem::fastest_ms(size_t unit) const {
  return *std::ranges::min_element(times_ms[unit]);
}

double PlacementProblem::energy_of(size_t unit, size_t device) const {
  return energy_mj.empty() ? 0 : energy_mj[unit][device];
}

double PlacementProblem::least_energy(size_t unit) const {
  return energy_mj.empty() ? 0 : *std::ranges::min_element(energy_mj[unit]);
}

double PlacementProblem::largest_energy(size_t unit) const {
  return energy_mj.empty() ? 0 : *std::ranges::max_element(energy_mj[unit]);
}

Result<void> check_problem(const PlacementProblem& problem) {
  if (problem.devices.empty()) return invalid_input("there is no device");
  if (!std::isfinite(problem.idle_w) || problem.idle_w < 0)
    return invalid_input("idle power below 0");
  const size_t count = problem.size();
  const bool has_energy = problem.energy_mj.empty() || problem.energy_mj.size() == count;
  if (problem.times_ms.size() != count || problem.transfers.size() != count || !has_energy) {
    return invalid_input("a table of times, energies or transfers has no row for each of " +
                         std::to_string(count) + " units");
  }
  for (size_t i = 0; i < count; ++i) {
    OPBENCH_CHECK(check_rows(problem, i, quoted_unit(problem.graph, i) + " "));
  }
  return {};
}

std::vector<int> rank_order(const PlacementProblem& problem) {
  std::vector<double> ranks(problem.size(), 0);
  for (size_t i = problem.size(); i-- > 0;) {
    double sum = 0;
    for (const double time : problem.times_ms[i]) sum += time;
    ranks[i] += sum / static_cast<double>(problem.devices.size());
    const std::vector<UnitNeed>& needs = problem.needs(i);
    for (size_t need = 0; need < needs.size(); ++need) {
      double& before = ranks[static_cast<size_t>(needs[need].unit)];
      before = std::max(before, ranks[i] + problem.transfers[i][need].ms);
    }
  }
  std::vector<int> order(problem.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](int unit) { return ranks[static_cast<size_t>(unit)]; });
  return order;
}

Arrival arrival_of(const PlacementProblem& problem, size_t unit, size_t device,
                   const Placement& placement, const std::vector<double>& end_ms) {
  Arrival arrival;
  const std::vector<UnitNeed>& needs = problem.needs(unit);
  for (size_t i = 0; i < needs.size(); ++i) {
    const EdgeTransfer& transfer = problem.transfers[unit][i];
    const auto maker = static_cast<size_t>(needs[i].unit);
    const bool moves = placement[maker] != static_cast<int>(device);
    arrival.at_ms = std::max(arrival.at_ms, end_ms[maker] + (moves ? transfer.ms : 0));
    arrival.transfer_mj += moves ? transfer.mj : 0;
  }
  return arrival;
}

PlacementCost cost_of(const PlacementProblem& problem, const std::vector<int>& order,
                      const Placement& placement) {
  PlacementCost cost;
  std::vector<double> free(problem.devices.size(), 0), loads(free), end(problem.size(), 0);
  for (const int number : order) {
    const auto at = static_cast<size_t>(number);
    const auto device = static_cast<size_t>(placement[at]);
    const Arrival arrival = arrival_of(problem, at, device, placement, end);
    end[at] = free[device] = std::max(free[device], arrival.at_ms) + problem.times_ms[at][device];
    cost.energy_mj += arrival.transfer_mj;
    loads[device] += problem.times_ms[at][device];
    cost.energy_mj += problem.energy_of(at, device);
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
