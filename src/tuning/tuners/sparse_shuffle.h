#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/numbers/random.h"

namespace opbench {

/// The numbers 0 to size - 1 in random order, each once: the shuffle of Fisher and Yates (1938),
/// of which only what was moved is kept.
class SparseShuffle {
 public:
  SparseShuffle(uint64_t size, Random& random) : remaining_(size), random_(random) {}

  bool is_empty() const { return remaining_ == 0; }

  /// The next one; not empty.
  uint64_t draw() {
    const uint64_t place = random_.below(remaining_);
    const uint64_t drawn = value_at(place);
    --remaining_;
    const uint64_t last = value_at(remaining_);
    moved_.erase(remaining_);
    if (place != remaining_) moved_[place] = last;
    return drawn;
  }

 private:
  uint64_t value_at(uint64_t place) const {
    const auto found = moved_.find(place);
    return found == moved_.end() ? place : found->second;
  }

  uint64_t remaining_;
  Random& random_;
  std::unordered_map<uint64_t, uint64_t> moved_;
};

}  // namespace opbench
