#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "prediction/interference/slowdown.h"

namespace opbench {

/// What one side of a co-run is.
struct CorunParty {
  enum class Kind { kUnit, kLevel, kCompute };
  Kind kind = Kind::kCompute;
  size_t index = 0;  ///< of the unit or level
  bool operator==(const CorunParty&) const = default;
};

/// Two things that run side by side, and what came out so far.
struct CorunItem {
  std::array<CorunParty, 2> parties;
  std::vector<SlowdownRound> rounds;
  std::map<std::string, int64_t> dropped;
  int64_t disturbed_turns = 0;     ///< left out of the rounds that were kept
  std::optional<Failure> failure;  ///< it is not tried again
  int visits = 0;
};

/// What a budget visits: the control, then the probe and the units beside every level, then pairs.
std::vector<CorunItem> corun_items(size_t units, size_t levels, size_t probe, bool has_pairs);

/// Whether another visit would change nothing that is said: it failed, or both slow-downs have at
/// least ten rounds and an interval of at most ± `precision`.
bool is_done(const CorunItem& item, double precision, uint64_t seed);

/// The items of one pass in the order of their visits: those of the neighbour first, so that a
/// short budget has a forecast of every pair; inside both kinds shuffled by the seed and the pass.
std::vector<size_t> pass_order(const std::vector<CorunItem>& items, int pass, double precision,
                               uint64_t seed);

}  // namespace opbench
