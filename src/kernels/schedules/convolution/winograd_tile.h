#pragma once

#include <cstdint>

#include "machine/target/target.h"

namespace opbench {

/// Tiles of an image, side by side and below each other, and channel blocks whose products are
/// summed in registers together.
struct WinogradTile {
  int64_t x = 1;
  int64_t y = 1;
  int64_t co = 1;
};

/// The default register tile for so many columns and rows of tiles and blocks of output channels;
/// no extent above that of `most`.
WinogradTile best_tile(const Target& target, int64_t columns, int64_t rows, int64_t out_blocks,
                       const WinogradTile& most);

}  // namespace opbench
