#include "prediction/workloads/kernel_work.h"

#include <gtest/gtest.h>

#include "default_kernel.h"
#include "prediction/workloads/unit_features.h"

namespace opbench {
namespace {

constexpr const char* kConv3x3 = "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu";

TEST(KernelWork, OfWinogradIsThatOfTransformedTiles) {
  KernelSpec spec = default_kernel(kConv3x3, 16);
  ASSERT_EQ(spec.schedule, "conv2d_winograd");
  spec.config["m"] = 4;
  spec.config["band"] = 0;
  const KernelWork work = kernel_work(spec);
  EXPECT_DOUBLE_EQ(work.flops, 2.0 * 36 * 14 * 14 * 64 * 64);
  EXPECT_DOUBLE_EQ(work.weight_bytes, 36.0 * 64 * 64 * 4);
  EXPECT_DOUBLE_EQ(work.scratch_bytes, 36.0 * 14 * 14 * (64 + 64) * 4);
  spec.config["band"] = 1;
  EXPECT_DOUBLE_EQ(kernel_work(spec).scratch_bytes, 36.0 * 14 * (64 + 64) * 4);
}

TEST(KernelWork, OfStrassenIsSevenEighths) {
  KernelSpec spec = default_kernel("conv2d 1x256x28x28 w:512x256x1x1", 16);
  spec.schedule = "conv2d_strassen";
  const KernelWork work = kernel_work(spec);
  EXPECT_DOUBLE_EQ(work.flops, 2.0 * 28 * 28 * 256 * 512 * 7 / 8);
  EXPECT_DOUBLE_EQ(work.weight_bytes, 256.0 * 512 * 4 * 7 / 4);
}

TEST(KernelWork, OfBytesHasSeveralProductsAnInstruction) {
  KernelSpec spec = default_kernel("matmul_integer 64x256:uint8 w:256x64:int8", 0);
  ASSERT_EQ(spec.schedule, "matmul_integer");
  EXPECT_DOUBLE_EQ(kernel_work(spec).products_a_lane, 2);
  const double two = unit_features(spec, round_ceilings()).roofline.compute_s;
  spec.target = *parse_target("llvm -mcpu=icelake-client");
  EXPECT_DOUBLE_EQ(kernel_work(spec).products_a_lane, 4);
  EXPECT_DOUBLE_EQ(kernel_work(spec).flops, 2.0 * 64 * 256 * 64);
  EXPECT_DOUBLE_EQ(unit_features(spec, round_ceilings()).roofline.compute_s, two / 2);
  EXPECT_DOUBLE_EQ(kernel_work(default_kernel("dense 64x256 w:64x256 transB=1", 0)).products_a_lane,
                   1);
}

TEST(KernelWork, OfRecurrentStepsReadsItsWeightsAtEveryStep) {
  const KernelSpec spec = default_kernel("rnn_steps 128x1x256 w:256x256 1x1x256", 0);
  ASSERT_EQ(spec.schedule, "recurrent_steps");
  const KernelWork work = kernel_work(spec);
  EXPECT_DOUBLE_EQ(work.weight_bytes, 256.0 * 256 * 4);
  EXPECT_DOUBLE_EQ(work.repeated_bytes, 127.0 * 256 * 256 * 4);
  const UnitFeatures features = unit_features(spec, round_ceilings());
  EXPECT_NEAR(features.roofline.memory_s, (work.footprint() + work.repeated_bytes) / 200e9, 1e-12);
}

TEST(KernelWork, OfRunsOfRowsCountsPaddingAndWholeVectors) {
  const KernelSpec rows = default_kernel("conv2d 1x64x4x28x28 w:64x64x3x3x3 pads=1,1,1,1,1,1", 0);
  ASSERT_EQ(rows.schedule, "conv_rows");
  // 3 planes of 29 x 29, 27 rows of 29 and a row of 28, in vectors of 16.
  const double run = (3 * 29 * 29 + 27 * 29 + 28 + 15) / 16 * 16;
  EXPECT_DOUBLE_EQ(kernel_work(rows).flops, 2 * run * 27 * 64 * 64);
  EXPECT_GT(kernel_work(rows).flops, 1.2 * flops_of(rows.workload));
}

TEST(KernelWork, OfChannelVectorsCountsPadding) {
  const KernelSpec channels =
      default_kernel("conv2d 1x512x1x4x4 w:512x512x3x3x3 pads=1,1,1,1,1,1", 0);
  ASSERT_EQ(channels.schedule, "conv_channels");
  EXPECT_DOUBLE_EQ(kernel_work(channels).flops, 2.0 * 16 * 27 * 512 * 512);
}

TEST(KernelWork, CountsTheZerosOfBlocksOfTheOutput) {
  const KernelSpec spec = default_kernel("conv2d 1x24x7x7 w:24x24x1x1", 16);
  const KernelWork work = kernel_work(spec);
  EXPECT_DOUBLE_EQ(work.input_bytes, 32.0 * 49 * 4);
  EXPECT_DOUBLE_EQ(work.output_bytes, 32.0 * 49 * 4);
  EXPECT_DOUBLE_EQ(work.flops, 2.0 * 49 * 24 * 32);
}

TEST(KernelWork, OfATableIsTheRowsThatAreRead) {
  const KernelSpec spec = default_kernel("gather w:30000x64 1x8:int64", 0);
  const KernelWork work = kernel_work(spec);
  EXPECT_DOUBLE_EQ(work.output_bytes, 8.0 * 64 * 4);
  EXPECT_LE(work.weight_bytes, work.output_bytes);
}

TEST(KernelWork, OfASumIsThatOfItsTensors) {
  const KernelWork work = kernel_work(default_kernel("add 4x8 4x8", 0));
  EXPECT_DOUBLE_EQ(work.flops, 32);
  EXPECT_DOUBLE_EQ(work.input_bytes, 2.0 * 32 * 4);
  EXPECT_DOUBLE_EQ(work.weight_bytes, 0);
  EXPECT_DOUBLE_EQ(work.footprint(), 3.0 * 32 * 4);
}

}  // namespace
}  // namespace opbench
