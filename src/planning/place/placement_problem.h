#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "planning/graphs/unit_graph.h"

/// Units on devices that share nothing: who runs what.
namespace opbench {

/// What an edge costs when its reader runs on another device than its maker.
struct EdgeTransfer {
  double ms = 0;
  double mj = 0;
  bool operator==(const EdgeTransfer&) const = default;
};

/// A unit graph, and beside it what devices take for units and what transfers between them cost.
struct PlacementProblem {
  std::vector<std::string> devices;
  UnitGraph graph;
  std::vector<std::vector<double>> times_ms;         ///< by unit, then by device
  std::vector<std::vector<double>> energy_mj;        ///< the same; empty: not known, counts as 0
  std::vector<std::vector<EdgeTransfer>> transfers;  ///< by unit, in the order of its needs
  double idle_w = 0;  ///< of all devices together, drawn for the whole makespan: modelled
  bool operator==(const PlacementProblem&) const = default;

  /// Appends a unit with its row of each table. Without `edge_transfers` its edges are free.
  void add(GraphUnit unit, std::vector<double> unit_ms, std::vector<double> unit_mj = {},
           std::vector<EdgeTransfer> edge_transfers = {});

  size_t size() const { return graph.size(); }
  const std::vector<UnitNeed>& needs(size_t unit) const { return graph.units[unit].needs; }
  double fastest_ms(size_t unit) const;
  double energy_of(size_t unit, size_t device) const;
  double least_energy(size_t unit) const;    ///< of all devices
  double largest_energy(size_t unit) const;  ///< the same
};

/// The device of every unit.
using Placement = std::vector<int>;

/// `kInvalidInput` that names the unit: no device, what check_graph refuses, times that are
/// missing, not above 0 or not finite, energies and transfers that are missing or below 0.
Result<void> check_problem(const PlacementProblem& problem);

/// The order in which units are scheduled: by the longest way to the end with mean times (the
/// upward rank of HEFT), of equals by number.
std::vector<int> rank_order(const PlacementProblem& problem);

/// When a unit's device has all that the unit needs, and what the transfers to it cost.
struct Arrival {
  double at_ms = 0;
  double transfer_mj = 0;
};

/// `placement` and `end_ms` (by unit) hold for the units that `unit` needs.
Arrival arrival_of(const PlacementProblem& problem, size_t unit, size_t device,
                   const Placement& placement, const std::vector<double>& end_ms);

/// What a placement costs when each device runs its units in rank order, as early as results and
/// transfers allow. Without needs that is the largest sum of times.
struct PlacementCost {
  double makespan_ms = 0;
  double energy_mj = 0;  ///< of units and transfers, and idle power over the makespan
  double load_norm = 0;  ///< 4-norm of the devices' sums of times: tells equal makespans apart
};

/// `order`: rank_order(problem).
PlacementCost cost_of(const PlacementProblem& problem, const std::vector<int>& order,
                      const Placement& placement);

/// What is minimised.
struct PlacementGoal {
  /// Nothing: the makespan. A time: energy among placements whose makespan is no longer.
  std::optional<double> least_energy_within_ms = {};
  /// With it and without a time: energy and, at this price, the makespan.
  std::optional<double> price_mj_per_ms = {};
};

/// The number that the goal minimises. Where a makespan is too long, that counts above all else.
double potential_of(const PlacementCost& cost, const PlacementGoal& goal);

}  // namespace opbench
