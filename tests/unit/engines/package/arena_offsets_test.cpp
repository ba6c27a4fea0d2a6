#include "engines/package/arena_offsets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// Blocks of one or two pieces, each of which lives from one step to another; pieces of two blocks
/// conflict where their lives meet.
std::vector<ArenaPiece> random_pieces(Random& random, size_t blocks) {
  std::vector<ArenaPiece> pieces;
  std::vector<std::pair<int64_t, int64_t>> lives;
  for (size_t block = 0; block < blocks; ++block) {
    int64_t offset = 0;
    for (uint64_t part = 0; part <= random.below(2); ++part) {
      const auto bytes = 64 * (1 + static_cast<int64_t>(random.below(8)));
      pieces.push_back({.block = block, .offset = offset, .bytes = bytes});
      offset += bytes;
      const auto first = static_cast<int64_t>(random.below(8));
      lives.emplace_back(first, first + 1 + static_cast<int64_t>(random.below(4)));
    }
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (size_t j = 0; j < pieces.size(); ++j) {
      const bool meet = lives[i].first <= lives[j].second && lives[j].first <= lives[i].second;
      if (pieces[i].block != pieces[j].block && meet) pieces[i].conflicts.push_back(j);
    }
  }
  return pieces;
}

bool overlap(const ArenaPiece& a, int64_t of_a, const ArenaPiece& b, int64_t of_b) {
  return of_a + a.offset < of_b + b.offset + b.bytes && of_b + b.offset < of_a + a.offset + a.bytes;
}

/// Whether the block may lie there beside blocks that have a place (not -1).
bool fits(const std::vector<ArenaPiece>& pieces, const std::vector<int64_t>& offsets, size_t block,
          int64_t at) {
  for (const ArenaPiece& piece : pieces) {
    if (piece.block != block) continue;
    for (const size_t conflict : piece.conflicts) {
      const ArenaPiece& other = pieces[conflict];
      const int64_t of_other = offsets[other.block];
      if (of_other >= 0 && overlap(piece, at, other, of_other)) return false;
    }
  }
  return true;
}

int64_t end_of(const std::vector<ArenaPiece>& pieces, size_t block, int64_t at) {
  int64_t end = at;
  for (const ArenaPiece& piece : pieces) {
    if (piece.block == block) end = std::max(end, at + piece.offset + piece.bytes);
  }
  return end;
}

/// The smallest arena over all orders in which blocks may take their lowest free places.
int64_t least_over_orders(const std::vector<ArenaPiece>& pieces, size_t blocks) {
  std::vector<size_t> order(blocks);
  std::iota(order.begin(), order.end(), size_t{0});
  int64_t least = INT64_MAX;
  do {
    std::vector<int64_t> offsets(blocks, -1);
    int64_t end = 0;
    for (const size_t block : order) {
      int64_t at = 0;
      while (!fits(pieces, offsets, block, at)) at += 64;
      offsets[block] = at;
      end = std::max(end, end_of(pieces, block, at));
    }
    least = std::min(least, end);
  } while (std::ranges::next_permutation(order).found);
  return least;
}

TEST(ArenaOffsets, KeepConflictingPiecesApart) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    const std::vector<ArenaPiece> pieces = random_pieces(random, 30);
    const ArenaOffsets placed = arena_offsets(pieces, 0);
    for (size_t block = 0; block < placed.offsets.size(); ++block) {
      EXPECT_TRUE(fits(pieces, placed.offsets, block, placed.offsets[block]));
      EXPECT_LE(end_of(pieces, block, placed.offsets[block]), placed.bytes);
    }
  }
}

TEST(ArenaOffsets, AreNearTheSmallestArena) {
  Random random(2);
  double worst = 1, sum = 0;
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<ArenaPiece> pieces = random_pieces(random, 6);
    const double ratio = static_cast<double>(arena_offsets(pieces, 0).bytes) /
                         static_cast<double>(least_over_orders(pieces, 6));
    worst = std::max(worst, ratio);
    sum += ratio;
  }
  EXPECT_LE(worst, 1.15);
  EXPECT_LE(sum / kRounds, 1.01);
}

TEST(ArenaOffsets, LetABlockReachIntoTheUnusedHalfOfAnother) {
  // The first block's second piece lives later than the second block.
  const std::vector<ArenaPiece> pieces = {{.block = 0, .offset = 0, .bytes = 64, .conflicts = {2}},
                                          {.block = 0, .offset = 64, .bytes = 64},
                                          {.block = 1, .offset = 0, .bytes = 64, .conflicts = {0}}};
  EXPECT_EQ(arena_offsets(pieces, 0).bytes, 128);
}

TEST(ArenaOffsets, TakeNoBlocks) { EXPECT_EQ(arena_offsets({}, 0).bytes, 0); }

}  // namespace
}  // namespace opbench
