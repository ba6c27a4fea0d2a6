#include <gtest/gtest.h>

#include "kernel_harness.h"

namespace opbench {
namespace {

/// Whether the kernel by rule goes by rows of tiles; -1 when there is none.
int64_t band_of(const std::string& workload) {
  const auto spec = kernel_spec(workload, "llvm -mcpu=skylake-avx512", "conv2d_winograd");
  return spec ? spec->config.at("band") : -1;
}

TEST(WinogradBands, AreForManyRowsOrFewWeights) {
  EXPECT_EQ(band_of("conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1"), 1);
  EXPECT_EQ(band_of("conv2d 1x128x28x28 w:128x128x3x3 pads=1,1,1,1"), 1);
  EXPECT_EQ(band_of("conv2d 1x96x35x35 w:96x96x3x3 strides=2,2"), 1);
  EXPECT_EQ(band_of("conv2d 2x256x28x28 w:256x256x3x3 pads=1,1,1,1"), 1);
}

TEST(WinogradBands, AreNotForManyWeightsOrFewTiles) {
  EXPECT_EQ(band_of("conv2d 1x256x28x28 w:256x256x3x3 pads=1,1,1,1"), 0);
  EXPECT_EQ(band_of("conv2d 1x64x14x14 w:64x64x3x3 pads=1,1,1,1"), 0);
}

}  // namespace
}  // namespace opbench
