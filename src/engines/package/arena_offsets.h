#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opbench {

/// A piece of a block: pieces of a block keep their places in it, but live at times of their own.
struct ArenaPiece {
  size_t block = 0;
  int64_t offset = 0;  ///< bytes, inside the block
  int64_t bytes = 0;
  std::vector<size_t> conflicts = {};  ///< pieces of other blocks that may not share a byte with it
};

struct ArenaOffsets {
  std::vector<int64_t> offsets;  ///< bytes, by block
  int64_t bytes = 0;             ///< of the arena
};

/// Places for the blocks in an arena that is as small as can be found. Large blocks come first,
/// each at the lowest place where all its pieces are free. Then a fixed number of other orders is
/// tried, and each result that is not worse is kept. Stops early at an arena of `least_bytes`.
/// Conflicts are symmetric. Equal pieces give equal places.
ArenaOffsets arena_offsets(const std::vector<ArenaPiece>& pieces, int64_t least_bytes);

}  // namespace opbench
