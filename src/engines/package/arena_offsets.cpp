#include "engines/package/arena_offsets.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/numbers/random.h"

namespace opbench {
namespace {

constexpr int kMostTries = 128;
constexpr size_t kMostConflicts = 20'000'000;  ///< of all tries together; takes some seconds
constexpr uint64_t kSeed = 1;

struct Block {
  std::vector<size_t> pieces;
  int64_t bytes = 0;
};

std::vector<Block> blocks_of(const std::vector<ArenaPiece>& pieces) {
  std::vector<Block> blocks;
  for (size_t i = 0; i < pieces.size(); ++i) {
    blocks.resize(std::max(blocks.size(), pieces[i].block + 1));
    Block& block = blocks[pieces[i].block];
    block.pieces.push_back(i);
    block.bytes = std::max(block.bytes, pieces[i].offset + pieces[i].bytes);
  }
  return blocks;
}

/// Programs of thousands of steps side by side have millions of conflicts: fewer tries.
int tries_for(const std::vector<ArenaPiece>& pieces) {
  size_t conflicts = 1;
  for (const ArenaPiece& piece : pieces) conflicts += piece.conflicts.size();
  return static_cast<int>(std::min<size_t>(kMostTries, kMostConflicts / conflicts));
}

class Placement {
 public:
  Placement(const std::vector<ArenaPiece>& pieces, const std::vector<Block>& blocks)
      : pieces_(pieces),
        blocks_(blocks),
        is_placed_(blocks.size(), false),
        result_{std::vector<int64_t>(blocks.size(), 0)} {}

  ArenaOffsets in_order(const std::vector<size_t>& order) && {
    for (const size_t block : order) {
      result_.offsets[block] = lowest_free(blocks_[block]);
      is_placed_[block] = true;
      result_.bytes = std::max(result_.bytes, result_.offsets[block] + blocks_[block].bytes);
    }
    return std::move(result_);
  }

 private:
  int64_t lowest_free(const Block& block) {
    std::vector<std::pair<int64_t, int64_t>> taken;  // offsets of the block: above the first, below
    for (const size_t index : block.pieces) {
      const ArenaPiece& piece = pieces_[index];
      for (const size_t conflict : piece.conflicts) {
        const ArenaPiece& other = pieces_[conflict];
        if (!is_placed_[other.block]) continue;
        const int64_t begin = result_.offsets[other.block] + other.offset;
        taken.emplace_back(begin - piece.offset - piece.bytes, begin + other.bytes - piece.offset);
      }
    }
    std::ranges::sort(taken);
    int64_t offset = 0;
    for (const auto& [above, below] : taken) {
      if (above >= offset) break;
      offset = std::max(offset, below);
    }
    return offset;
  }

  const std::vector<ArenaPiece>& pieces_;
  const std::vector<Block>& blocks_;
  std::vector<bool> is_placed_;
  ArenaOffsets result_;
};

}  // namespace

ArenaOffsets arena_offsets(const std::vector<ArenaPiece>& pieces, int64_t least_bytes) {
  const std::vector<Block> blocks = blocks_of(pieces);
  std::vector<size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t i) { return blocks[i].bytes; });
  ArenaOffsets best = Placement(pieces, blocks).in_order(order);
  Random random(kSeed);
  const int tries = tries_for(pieces);
  for (int i = 0; i < tries && best.bytes > least_bytes && !order.empty(); ++i) {
    const auto end_of = [&](size_t block) { return best.offsets[block] + blocks[block].bytes; };
    std::vector<size_t> other = order;
    // Every other time the block that ends highest comes first; else any block comes earlier.
    auto block = std::ranges::max_element(other, std::less<>(), end_of);
    auto place = other.begin();
    if (i % 2 == 1 || block == place) {
      block = other.begin() + static_cast<std::ptrdiff_t>(random.below(other.size()));
      place += static_cast<std::ptrdiff_t>(
          random.below(static_cast<uint64_t>(block - other.begin()) + 1));
    }
    std::rotate(place, block, block + 1);
    ArenaOffsets placed = Placement(pieces, blocks).in_order(other);
    if (placed.bytes > best.bytes) continue;
    best = std::move(placed);
    order = std::move(other);
  }
  return best;
}

}  // namespace opbench
