#pragma once

#include <cstdint>
#include <limits>

#include "kernels/schedules/knobs/tile_estimate.h"
#include "machine/target/target.h"

// What schedules choose by default about sums in registers.

namespace opbench {

/// Time of one multiply-add in this tile, relative to the best possible. The core is taken to start
/// as many multiply-adds a cycle as loads. Three things make a tile slower: few sums, which wait
/// for the latency of a multiply-add; more loads (one a pixel, one a vector) than multiply-adds;
/// and reading vectors faster than the second cache delivers them.
double tile_cost(const RegisterTile& tile);

/// Sums that a tile may hold; more would be kept in memory.
int64_t most_sums(VectorIsa isa);
int64_t most_sums(const Target& target);

/// True where the registers hold the sums together with all that one step of them needs at a time:
/// a broadcast, and the vectors if more than one pixel uses them. Else a value goes to memory and
/// back in every step, which a core feels that starts two multiply-adds a cycle.
bool fits_registers(VectorIsa isa, const RegisterTile& tile);

/// The tile with the least work for that many neighbouring pixels and vectors: one whose vectors
/// divide them; pixels that are computed twice, where tiles do not divide them, count. It has at
/// most `most` sums, if the target allows as many.
RegisterTile best_tile(const Target& target, int64_t pixels, int64_t vectors,
                       int64_t most = std::numeric_limits<int64_t>::max());

/// More vectors than this in a tile leave too few pixels for each.
constexpr int64_t kMostTileVectors = 8;

/// How many of the `steps` of a reduction to write out, so that the end of its loop is hidden: 4 or
/// 2, `most` of them, that divide the steps, as one under a condition costs more than it saves.
int unrolled_steps(int64_t steps, int most = 4);

}  // namespace opbench
