#pragma once

#include <vector>

#include "planning/place/placement_problem.h"

namespace opbench {

/// Part of the units that a device must run.
struct DeviceShare {
  int device = 0;
  double percent = 0;  ///< of the units, at least
  bool operator==(const DeviceShare&) const = default;
};

/// How many units each device must run at least; what a placement may not change.
struct ShareLimits {
  std::vector<int> least;  ///< by device
  /// By unit: the only device that has a kernel for it; -1: all have one. Empty: all units are so.
  std::vector<int> fixed = {};
};

/// Shares in whole units, rounded up. `kInvalidInput` that names the devices when there are more
/// than the problem has, or more than `fixed` leaves a device.
Result<ShareLimits> limits_of(const PlacementProblem& problem,
                              const std::vector<DeviceShare>& shares, std::vector<int> fixed = {});

/// Whether the placement keeps the limits.
bool keeps_limits(const ShareLimits& limits, const Placement& placement);

/// A short placement within the limits, which can be kept: a beam search in rank order that keeps
/// the best states of each count of units by device, then moves and swaps of units as long as one
/// helps. Exact while the beam drops nothing, which holds for up to 9 units on two devices.
Placement share_placement(const PlacementProblem& problem, const ShareLimits& limits);

}  // namespace opbench
