#pragma once

#include <cstdint>

namespace opbench {

/// Turns the first `rotated` elements of a head of `size` in pairs: (a, b) becomes
/// (a cos - b sin, a sin + b cos); the others stay. Pairs are neighbours (interleaved), or an
/// element of the first half with one of the second. `cosines` and `sines` have rotated / 2
/// elements. `y` may be `x`.
struct RotaryPairs {
  int64_t size = 0;
  int64_t rotated = 0;
  bool is_interleaved = false;

  void turn(const float* cosines, const float* sines, const float* x, float* y) const;
};

}  // namespace opbench
