#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/numbers/bit_set.h"

namespace opbench {

/// For every step the earlier steps that it waits for. `waits[i]` holds numbers below i.
using StepWaits = std::vector<std::vector<int>>;

/// A partial order of steps: which steps have ended when another starts. Steps that it leaves
/// unordered may run at the same time.
class StepOrder {
 public:
  /// One step after the other.
  static StepOrder sequential(size_t steps);

  /// The order that these waits force, those of waits included.
  static StepOrder of(const StepWaits& waits);

  /// `ends_before[second][first]`, transitive.
  explicit StepOrder(std::vector<BitSet> ends_before) : ends_before_(std::move(ends_before)) {}

  size_t size() const { return ends_before_.size(); }
  bool ends_before(int first, int second) const {
    return ends_before_[static_cast<size_t>(second)][static_cast<size_t>(first)];
  }

 private:
  StepOrder() = default;

  std::vector<BitSet> ends_before_;  ///< [second][first]
};

/// For every step those steps of smaller numbers that end before it starts, as far as its other
/// waits do not imply them. What an order says of steps in the other direction is lost.
StepWaits waits_of(const StepOrder& order);

/// The waits of steps that run in groups: `group[i]` is the group of step i, and groups do not
/// decrease. A step waits for all steps of earlier groups, and in its own group for its `needs`.
StepWaits waits_of_groups(const StepWaits& needs, const std::vector<int>& group);

}  // namespace opbench
