#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/runtime/program.h"
#include "experiments/devices/place_graph.h"
#include "experiments/unit_times/unit_times.h"

namespace opbench {

/// A value that a run copied between the host's memory and a device's.
struct CopyTime {
  std::string value;
  bool is_to_device = false;
  int64_t bytes = 0;
  double ms = 0;
  bool operator==(const CopyTime&) const = default;
};

/// The copies of a program, in its order, with these times of its steps.
std::vector<CopyTime> copies_of(const Program& program, const std::vector<TimeWithError>& steps);

/// A line through the times of copies over their bytes: a fixed time and a pace, neither below 0,
/// that miss each time by as little of it as can be. Copies of one size give a pace alone. Free
/// where there are none.
TransferCost cost_of_copies(const std::vector<CopyTime>& copies);

/// What steps cost that are no units of a model.
struct StepCosts {
  TransferCost to_device, to_host;
  TransferCost layout;                ///< a change of layout, by the bytes that it makes
  TransferCost crossing;              ///< a copy with the changes of layout of its value
  std::vector<CopyTime> copies = {};  ///< the copies themselves
};

/// The costs of a program whose units change between host and device, with these times of its
/// steps.
StepCosts step_costs_of(const Program& program, const std::vector<UnitIdentity>& facts,
                        const std::vector<TimeWithError>& steps);

/// The model's time of a transfer of so many bytes.
double copy_ms(const TransferCost& cost, int64_t bytes);

/// The time of a copy of so many bytes, between those of the next smaller and the next larger copy
/// that was timed in the direction: large copies have another pace than small ones. The line
/// through all of them beyond these.
double copy_ms(const StepCosts& costs, bool is_to_device, int64_t bytes);

}  // namespace opbench
