#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
class Func;
}

namespace opbench {

/// Outputs that a thread computes together, in registers: neighbours along two dimensions.
struct ThreadTile {
  int64_t pixels = 1;
  int64_t channels = 1;
};

/// A side of such a tile: its knob, the extent that it divides, and what has that extent.
struct TileSide {
  std::string knob;
  int64_t extent = 1;
  std::string what;
};

/// 1, 2, 4, 8 as far as there are so many, and the default.
KnobRange tile_range(const std::string& knob, int64_t extent, int64_t default_value);

/// `kInvalidInput` unless both sides fit their extents and all sums a thread's registers.
Result<void> check_tile_of_thread(const Config& config, const TileSide& pixels,
                                  const TileSide& channels);

/// Schedules `out`, which has dimensions of these extents, and `sum`, which it reads at its own
/// position and which has one update: a tile along the dimensions `sides` a thread, the last one
/// overlapping the one before, all of its sums private to the thread. The caller orders the
/// update's loops.
void spread_tiles(Halide::Func& out, Halide::Func& sum, std::pair<size_t, size_t> sides,
                  const std::vector<int64_t>& extents, const ThreadTile& tile,
                  const Config& config);

}  // namespace opbench
