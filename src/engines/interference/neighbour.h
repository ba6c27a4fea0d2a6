#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/errors/failure.h"
#include "engines/interference/corun_side.h"

namespace opbench {

/// How much a neighbour presses on the memory that CPUs share.
struct NeighbourLevel {
  int64_t bytes = 0;  ///< working set: three arrays together
  double duty = 1;    ///< part of the time in which it moves data, above 0 and up to 1
};

constexpr int64_t kLeastNeighbour = 768;              // bytes
constexpr int64_t kMostNeighbour = int64_t{1} << 30;  // bytes

/// A triad, a[i] = b[i] + c[i] / 2 (McCalpin's STREAM, 1995), that walks its arrays again and again
/// in pieces of at most 384 KiB, a piece a call. After each piece it idles, in a loop that touches
/// no memory, so that it is busy for `duty` of the time. The side keeps the arrays.
///
/// kInvalidConfig for a level out of range; kRunError where there is no memory for it.
Outcome<CorunSide> neighbour_side(const NeighbourLevel& level);

/// Multiply-adds in registers, some 20 µs a call: what shares nothing with anybody.
CorunSide compute_side();

}  // namespace opbench
