#include <gtest/gtest.h>

#include "kernel_harness.h"

namespace opbench {
namespace {

/// A knob of the default kernel; -1 when there is none.
int64_t winograd_default_knob(const std::string& workload, const char* knob, const char* schedule,
                              int threads = 1) {
  const auto spec = kernel_spec(workload, "llvm -mcpu=skylake-avx512", schedule, true, threads);
  return spec ? spec->config.at(knob) : -1;
}

/// Outputs of a tile's edge.
int64_t edge(const std::string& workload, const char* schedule = "conv2d_winograd") {
  return winograd_default_knob(workload, "m", schedule);
}

/// Whether it goes by rows of tiles.
int64_t band(const std::string& workload) {
  return winograd_default_knob(workload, "band", "conv2d_winograd");
}

TEST(Winograd, TakesSmallTilesWhereWeightsAreReadMoreThanUsed) {
  EXPECT_EQ(edge("conv2d 1x448x8x8 w:384x448x3x3 pads=1,1,1,1"), 2);
  EXPECT_EQ(edge("conv2d 8x448x8x8 w:384x448x3x3 pads=1,1,1,1"), 4);
}

TEST(Winograd, TakesTilesThatFitTheImage) {
  EXPECT_EQ(edge("conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1"), 4);
  EXPECT_EQ(edge("conv2d 1x256x14x14 w:256x256x3x3 pads=1,1,1,1"), 5);
  EXPECT_EQ(edge("conv2d 1x64x13x13 w:256x64x3x3 pads=1,1,1,1"), 5);
  EXPECT_EQ(edge("conv2d 1x64x35x35 w:96x64x3x3 pads=1,1,1,1"), 6);
}

TEST(Winograd, TakesSmallTilesWhereTransformsCostMoreThanProducts) {
  EXPECT_EQ(edge("conv2d 1x32x35x35 w:32x32x3x3 pads=1,1,1,1"), 4);
  EXPECT_EQ(edge("conv2d 1x192x35x35 w:192x192x3x3 pads=1,1,1,1"), 6);
}

TEST(Winograd1d, TakesTheTileWithTheFewestProductsForALine) {
  EXPECT_EQ(edge("conv2d 1x160x17x17 w:160x160x1x7 pads=0,3,0,3", "conv2d_winograd1d"), 6);
  EXPECT_EQ(edge("conv2d 1x384x8x8 w:384x384x3x1 pads=1,0,1,0", "conv2d_winograd1d"), 8);
  EXPECT_EQ(edge("conv2d 1x128x15x15 w:128x128x1x7 pads=0,3,0,3", "conv2d_winograd1d"), 5);
}

TEST(WinogradBands, AreForManyRowsOrFewWeights) {
  EXPECT_EQ(band("conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1"), 1);
  EXPECT_EQ(band("conv2d 1x128x28x28 w:128x128x3x3 pads=1,1,1,1"), 1);
  EXPECT_EQ(band("conv2d 1x96x35x35 w:96x96x3x3 strides=2,2"), 1);
  EXPECT_EQ(band("conv2d 2x256x28x28 w:256x256x3x3 pads=1,1,1,1"), 1);
}

TEST(WinogradBands, AreNotForManyWeightsOrFewTiles) {
  EXPECT_EQ(band("conv2d 1x256x28x28 w:256x256x3x3 pads=1,1,1,1"), 0);
  EXPECT_EQ(band("conv2d 1x64x14x14 w:64x64x3x3 pads=1,1,1,1"), 0);
}

/// Parts that transform the input for themselves; 0: all share it.
int64_t own_parts(const std::string& workload, int threads) {
  return winograd_default_knob(workload, "parts", "conv2d_winograd", threads);
}

TEST(WinogradParts, AreOneAThreadWhereThreadsAreFew) {
  constexpr const char* kManyWeights = "conv2d 1x256x14x14 w:256x256x3x3 pads=1,1,1,1";
  EXPECT_EQ(own_parts(kManyWeights, 1), 0);
  EXPECT_EQ(own_parts(kManyWeights, 2), 2);
  EXPECT_EQ(own_parts(kManyWeights, 3), 0) << "no equal shares";
  EXPECT_EQ(own_parts(kManyWeights, 64), 0) << "as many transforms";
  EXPECT_EQ(own_parts("conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1", 2), 0) << "bands are parts";
}

TEST(WinogradParts, StandForRowsOfTilesThatThreadsCannotShareEvenly) {
  constexpr const char* kSevenRows = "conv2d 1x128x28x28 w:128x128x3x3 pads=1,1,1,1";
  EXPECT_EQ(own_parts(kSevenRows, 1), 0);
  EXPECT_EQ(own_parts(kSevenRows, 2), 2);
  EXPECT_EQ(own_parts("conv2d 1x96x36x36 w:96x96x3x3 pads=1,1,1,1", 3), 0) << "two rows each";
  EXPECT_EQ(own_parts("conv2d 1x128x32x32 w:128x128x3x3 pads=1,1,1,1", 2), 0) << "eight rows";
  EXPECT_EQ(own_parts("conv2d 1x144x28x28 w:144x144x3x3 pads=1,1,1,1", 2), 0) << "nine blocks";
}

TEST(Winograd1dParts, AreOneAThreadWhereThreadsAreFew) {
  constexpr const char* kLines = "conv2d 1x160x17x17 w:160x160x1x7 pads=0,3,0,3";
  for (const int threads : {1, 2, 4, 64}) {
    const bool has_parts = threads == 2 || threads == 4;
    EXPECT_EQ(winograd_default_knob(kLines, "parts", "conv2d_winograd1d", threads),
              has_parts ? threads : 1);
    EXPECT_EQ(winograd_default_knob(kLines, "shared", "conv2d_winograd1d", threads),
              has_parts ? 0 : 1);
  }
}

}  // namespace
}  // namespace opbench
