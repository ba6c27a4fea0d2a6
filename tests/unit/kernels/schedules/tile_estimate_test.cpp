#include "kernels/schedules/knobs/tile_estimate.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

/// Cycles of a step for each of its multiply-adds.
double per_sum(RegisterTile tile) {
  return step_cycles(tile, 30) / static_cast<double>(tile.pixels * tile.vectors);
}

TEST(TileEstimate, FewSumsWaitForEachOther) {
  EXPECT_GT(per_sum({1, 1}), 3 * per_sum({2, 2}));
  EXPECT_NEAR(per_sum({4, 4}), per_sum({7, 4}), 0.05);
}

TEST(TileEstimate, SumsBeyondTheRegistersGoThroughMemory) {
  EXPECT_GT(per_sum({16, 4}), 1.3 * per_sum({7, 4}));
}

TEST(TileEstimate, ALongTileLoadsMoreThanASquareOne) {
  EXPECT_GT(per_sum({28, 1}), per_sum({7, 4}));
}

TEST(TileEstimate, WhatFitsIntoANearerCacheIsReadFaster) {
  constexpr double kBytes = 1e6;
  EXPECT_LT(read_cycles(kBytes, 10e3), read_cycles(kBytes, 100e3));
  EXPECT_LT(read_cycles(kBytes, 100e3), read_cycles(kBytes, 10e6));
  EXPECT_EQ(read_cycles(2 * kBytes, 10e3), 2 * read_cycles(kBytes, 10e3));
}

TEST(TileEstimate, TheShorterOfTwoTimesHidesInTheLonger) {
  EXPECT_DOUBLE_EQ(beside(10, 2), beside(2, 10));
  EXPECT_GE(beside(10, 2), 10);
  EXPECT_LT(beside(10, 2), 11);
}

TEST(TileEstimate, SumsHaveAllRegistersButTwo) {
  Target target;
  target.attributes["mcpu"] = "skylake-avx512";
  EXPECT_EQ(sum_registers(target), 30);
  target.attributes["mcpu"] = "core-avx2";
  EXPECT_EQ(sum_registers(target), 14);
}

}  // namespace
}  // namespace opbench
