#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/schedules/schedule.h"

// What the schedules of TVM's CPU templates share: knobs as TVM's records have them, and limits to
// what a tile becomes as code. TVM unrolls and vectorizes every tile whatever its size; here a tile
// beyond `kMostUnrolled` keeps a loop, as its sums do not stay in registers anyway.

namespace opbench {

/// Vector multiply-adds that one loop body may have: compiling more takes over a second.
constexpr int64_t kMostUnrolled = 256;

/// The part of `extent`, a divisor, that is one vector: all of it if it fits into `lanes`, else the
/// one with which the fewest registers are computed.
int64_t vector_part(int64_t extent, int64_t lanes);

/// Registers that `extent` elements in vectors of `vector_part` take.
int64_t vector_count(int64_t extent, int64_t lanes);

/// How many of nested loops with these extents, inner to outer, may be unrolled around a body of
/// `body` vector multiply-adds.
size_t unrolled_loops(const std::vector<int64_t>& extents, int64_t body);

/// `kInvalidInput` unless `tile_ic` and `tile_oc` divide a convolution's channels and are the
/// blocks of its data and its output.
Result<void> check_blocks(const KernelSpec& spec, int64_t in_channels, int64_t out_channels);

/// `kInvalidInput` when the product of these knobs, the sums that a task holds in memory, takes
/// more than 1 GiB.
Result<void> check_tile_memory(const Config& config, const std::vector<std::string>& knobs);

}  // namespace opbench
