#include "kernels/schedules/knobs/tile_rule.h"

#include <gtest/gtest.h>

#include "machine/target/parse_target.h"

namespace opbench {
namespace {

Target avx512() { return *parse_target("llvm -mcpu=skylake-avx512"); }

TEST(TileRule, TakesTilesThatFillTheRegistersAndLoadLittle) {
  const RegisterTile tile = best_tile(avx512(), 3136, 16);
  EXPECT_EQ(tile.pixels, 6);
  EXPECT_EQ(tile.vectors, 4);
}

TEST(TileRule, LeavesRegistersForWhatAStepNeeds) {
  EXPECT_TRUE(fits_registers(VectorIsa::kAvx512, {6, 4}));
  EXPECT_FALSE(fits_registers(VectorIsa::kAvx512, {7, 4})) << "28 sums, 4 vectors and a broadcast";
  EXPECT_TRUE(fits_registers(VectorIsa::kAvx512, {9, 3}));
  EXPECT_FALSE(fits_registers(VectorIsa::kAvx512, {29, 1})) << "more sums than are allowed";
  EXPECT_TRUE(fits_registers(VectorIsa::kAvx2, {4, 3}));
  EXPECT_FALSE(fits_registers(VectorIsa::kAvx2, {3, 4}));
  EXPECT_TRUE(fits_registers(VectorIsa::kAvx2, {1, 8}))
      << "vectors for one pixel are used from memory";
}

TEST(TileRule, UsesAVectorForMoreThanAFewPixels) {
  EXPECT_EQ(best_tile(avx512(), 64, 28).pixels, 13) << "4 pixels and 7 vectors would fit, too";
}

TEST(TileRule, HasNoMoreSumsThanTheTargetsRegistersHold) {
  for (const char* text : {"llvm -mcpu=skylake-avx512", "llvm -mcpu=core-avx2", "llvm"}) {
    const Target target = *parse_target(text);
    for (const int64_t vectors : {1, 2, 3, 5, 12, 63}) {
      for (const int64_t pixels : {1, 7, 49, 289, 3136}) {
        const RegisterTile tile = best_tile(target, pixels, vectors);
        EXPECT_LE(tile.pixels * tile.vectors, most_sums(target)) << text;
        EXPECT_LE(tile.pixels, pixels);
        EXPECT_EQ(vectors % tile.vectors, 0);
      }
    }
  }
}

TEST(TileRule, ComputesFewPixelsTwice) {
  const RegisterTile tile = best_tile(avx512(), 17, 12);
  EXPECT_EQ(tile.pixels, 9) << "17 pixels as 9 and 9";
  EXPECT_EQ(tile.vectors, 3);
}

TEST(TileRule, CountsLoadsWhereTheyAreMoreThanTheSums) {
  EXPECT_GT(tile_cost({28, 1}), 1.2 * tile_cost({14, 2}));
  EXPECT_GT(tile_cost({2, 2}), 1.5 * tile_cost({8, 2})) << "too few sums for the latency";
}

TEST(TileRule, WritesOutStepsThatDivideTheReduction) {
  EXPECT_EQ(unrolled_steps(16), 4);
  EXPECT_EQ(unrolled_steps(16, 2), 2);
  EXPECT_EQ(unrolled_steps(6), 2);
  EXPECT_EQ(unrolled_steps(27), 1);
}

}  // namespace
}  // namespace opbench
