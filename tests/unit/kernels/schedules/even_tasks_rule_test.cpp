#include <gtest/gtest.h>

#include "kernel_harness.h"

namespace opbench {
namespace {

/// A knob of the default kernel; -1 when there is none.
int64_t even_tasks_default_knob(const char* schedule, const std::string& workload, const char* knob,
                                int threads) {
  const auto spec = kernel_spec(workload, "llvm -mcpu=skylake-avx512", schedule, true, threads);
  return spec ? spec->config.at(knob) : -1;
}

int64_t pixel_tasks(const std::string& workload, int threads) {
  return even_tasks_default_knob("conv2d_pointwise", workload, "pixel_tasks", threads);
}

TEST(PointwiseTasks, AreSharedEvenly) {
  EXPECT_EQ(pixel_tasks("conv2d 1x384x13x13 w:64x384x1x1", 2), 1) << "a panel of channels each";
  EXPECT_EQ(pixel_tasks("conv2d 1x64x55x55 w:16x64x1x1", 2), 2) << "half of the pixels each";
  EXPECT_EQ(pixel_tasks("conv2d 1x512x13x13 w:1000x512x1x1", 2), 2) << "of 21 panels";
}

TEST(PointwiseTasks, AreForThreadsToComeWhereThereIsOne) {
  EXPECT_EQ(pixel_tasks("conv2d 1x64x55x55 w:16x64x1x1", 1), 8);
}

TEST(PointwiseTasks, ReadPixelsThatStayInACoresOwnCache) {
  EXPECT_GE(pixel_tasks("conv2d 1x256x56x56 w:64x256x1x1", 2), 7) << "of half a megabyte";
}

int64_t row_tasks(const std::string& workload, int threads) {
  return even_tasks_default_knob("conv2d_depthwise", workload, "row_tasks", threads);
}

TEST(DepthwiseTasks, AreSharedEvenly) {
  EXPECT_EQ(row_tasks("conv2d 1x512x14x14 w:512x1x3x3 group=512 pads=1,1,1,1", 2), 1);
  EXPECT_EQ(row_tasks("conv2d 1x16x56x56 w:16x1x3x3 group=16 pads=1,1,1,1", 2), 2);
  EXPECT_EQ(row_tasks("conv2d 1x48x56x56 w:48x1x3x3 group=48 pads=1,1,1,1", 2), 2) << "3 planes";
}

TEST(DepthwiseTasks, AreForThreadsToComeWhereThereIsOne) {
  EXPECT_EQ(row_tasks("conv2d 1x16x56x56 w:16x1x3x3 group=16 pads=1,1,1,1", 1), 8);
  EXPECT_EQ(row_tasks("conv2d 1x512x14x14 w:512x1x3x3 group=512 pads=1,1,1,1", 1), 1);
}

int64_t k_parts(const std::string& workload, int threads) {
  return even_tasks_default_knob("dense", workload, "k_parts", threads);
}

TEST(DenseParts, AreForFewRowsAndFewerPanelsThanThreads) {
  EXPECT_EQ(k_parts("dense 1x2048 w:2048x64", 1), 1);
  EXPECT_EQ(k_parts("dense 1x2048 w:2048x64", 2), 2);
  EXPECT_EQ(k_parts("dense 1x4096 w:4096x256", 16), 4) << "of 4 panels";
  EXPECT_EQ(k_parts("dense 1x2048 w:2048x1000", 2), 1) << "16 panels";
  EXPECT_EQ(k_parts("dense 64x2048 w:2048x64", 2), 1) << "rows are for threads";
  EXPECT_EQ(k_parts("dense 1x512 w:512x64", 2), 1) << "done before threads have met";
}

}  // namespace
}  // namespace opbench
