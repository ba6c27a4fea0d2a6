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

  /// The first that is not in `visited` and of which at least half a percent more is expected than
  /// of the one before: what is expected of equal configs may be wrong of all of them.
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
