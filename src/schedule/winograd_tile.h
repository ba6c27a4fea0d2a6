#pragma once

#include <cstdint>

#include "opbench/hardware/target.h"

namespace opbench {

/// Tiles of an image, side by side and below each other, and channel blocks whose products are
/// summed in registers together.
struct WinogradTile {
  int64_t x = 1;
  int64_t y = 1;
  int64_t co = 1;
};

/// So many parts of a kernel's work may each transform what they read of the input.
constexpr int64_t kMostOwnParts = 4;

/// Those by rule: one a thread, as threads lose time where one reads what another has written. 0,
/// none, for one thread, and for many, each of whose parts would repeat what the others transform
/// or read; those share.
int64_t own_parts(int threads);

/// The register tile by rule for so many columns and rows of tiles and blocks of output channels;
/// no extent above that of `most`.
WinogradTile best_tile(const Target& target, int64_t columns, int64_t rows, int64_t out_blocks,
                       const WinogradTile& most);

}  // namespace opbench
