#include <gtest/gtest.h>

#include "kernel_harness.h"

namespace opbench {
namespace {

/// Parts of the pixels by rule; -1 when there is none.
int64_t pixel_tasks(const std::string& workload, int threads) {
  const auto spec =
      kernel_spec(workload, "llvm -mcpu=skylake-avx512", "conv2d_pointwise", true, threads);
  return spec ? spec->config.at("pixel_tasks") : -1;
}

TEST(Pointwise, CutsPixelsSoThatThreadsShareThemEvenly) {
  EXPECT_EQ(pixel_tasks("conv2d 1x384x13x13 w:64x384x1x1", 2), 1) << "a panel of channels each";
  EXPECT_EQ(pixel_tasks("conv2d 1x64x55x55 w:16x64x1x1", 2), 2) << "half of the pixels each";
  EXPECT_EQ(pixel_tasks("conv2d 1x512x13x13 w:1000x512x1x1", 2), 2) << "of 21 panels";
}

TEST(Pointwise, CutsPixelsForThreadsToComeWhereThereIsOne) {
  EXPECT_EQ(pixel_tasks("conv2d 1x64x55x55 w:16x64x1x1", 1), 8);
}

TEST(Pointwise, CutsPixelsSoThatTheyStayInACoresOwnCache) {
  EXPECT_GE(pixel_tasks("conv2d 1x256x56x56 w:64x256x1x1", 2), 7) << "of half a megabyte";
}

}  // namespace
}  // namespace opbench
