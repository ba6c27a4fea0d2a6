#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/numbers/random.h"
#include "tuning/tuners/tuner.h"

namespace opbench {

/// Configs by the time that is expected of them (TunerInput::estimate), the shortest first, equal
/// ones in random order. Of a large space only some, drawn at random.
class ExpectedOrder {
 public:
  /// `input.estimate` is not empty. Configs that it takes for impossible are left out.
  ExpectedOrder(const TunerInput& input, Random& random);

  /// The first config that is not in `visited` and whose expected time is at least half a percent
  /// longer than that of the config before. Configs of equal expectation are skipped: if the
  /// estimate is wrong for one, it may be wrong for all of them.
  std::optional<uint64_t> draw_apart(const std::unordered_set<uint64_t>& visited);

  /// The first `count` that are not in `visited`.
  std::vector<uint64_t> first(size_t count, const std::unordered_set<uint64_t>& visited);

 private:
  struct Expected {
    uint64_t config = 0;
    double time = 0;
  };

  std::vector<Expected> order_;
  size_t begin_ = 0;  ///< all before it are visited
  double drawn_ = 0;  ///< time of the one that was drawn apart last
};

}  // namespace opbench
