#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

class ConvTransposeRows : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, ConvTransposeRows,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(ConvTransposeRows, ComputesStridesPadsAndGroups) {
  for (const char* workload : {
           "conv_transpose 1x8x7x9 w:8x12x4x4 w:12 strides=2,2 pads=1,1,1,1; relu",
           "conv_transpose 2x6x5x4 w:6x10x3x3 strides=2,2 pads=1,1,1,1 output_padding=1,1",
           "conv_transpose 1x6x5x7 w:6x4x3x5 w:8 group=2 strides=3,2 pads=0,2,1,1",
           "conv_transpose 1x4x6x6 w:4x7x3x3 pads=1,1,1,1; add 1x7x6x6",
           "conv_transpose 1x4x6x6 w:4x5x2x2 strides=2,2",
           "conv_transpose 1x4x3x3 w:4x5x2x2 strides=3,3",
           "conv_transpose 2x5x6x17 w:5x29x3x2 w:29 strides=1,2; sigmoid",
           "conv_transpose 1x4x5x40 w:4x6x3x5 w:6 strides=2,3 pads=1,2,1,2",
           "conv_transpose 1x8x7x9 8x6x4x4 strides=2,2 group=2",
       }) {
    expect_computes("conv_transpose_rows", workload, GetParam());
  }
}

TEST_P(ConvTransposeRows, ComputesOneDimension) {
  for (const char* workload : {
           "conv_transpose 1x8x21 w:8x6x4 w:6 strides=2 pads=1,1",
           "conv_transpose 3x6x10 w:6x3x5 group=3 strides=4",
       }) {
    expect_computes("conv_transpose_rows", workload, GetParam());
  }
}

TEST_P(ConvTransposeRows, ComputesVolumes) {
  for (const char* workload : {
           "conv_transpose 1x6x4x5x7 w:6x8x2x2x2 w:8 strides=2,2,2; relu",
           "conv_transpose 2x4x3x4x5 w:4x5x3x3x3 pads=1,1,1,1,1,1 strides=2,1,2",
           "conv_transpose 1x6x3x4x20 w:6x3x3x2x4 group=2 strides=3,2,1 pads=0,1,1,1,0,2",
           "conv_transpose 1x4x3x3x3 4x6x1x3x2 6 strides=2,2,3 output_padding=1,0,0",
       }) {
    expect_computes("conv_transpose_rows", workload, GetParam());
  }
}

TEST(ConvTransposeConfig, ComputesEveryRegisterTile) {
  for (const int64_t channels : {1, 2, 3, 6, 12}) {
    for (const int64_t vectors : {1, 2, 3, 4}) {
      expect_computes("conv_transpose_rows",
                      "conv_transpose 1x4x9x10 w:4x12x3x3 w:12 strides=2,2; relu", "host",
                      {{"tile_co", channels}, {"vectors", vectors}});
    }
  }
}

TEST(ConvTransposeConfig, LeavesDilatedOnesToTheReference) {
  EXPECT_FALSE(kernel_spec("conv_transpose 1x4x6x6 w:4x5x3x3 dilations=2,2", "host",
                           "conv_transpose_rows", false));
}

TEST(ConvTransposeConfig, RefusesTilesThatDoNotFit) {
  auto spec =
      kernel_spec("conv_transpose 1x4x9x10 w:4x12x3x3", "host", "conv_transpose_rows", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config.at("tile_co") = 13;
  const auto checked = check_spec(*spec);
  ASSERT_FALSE(checked);
  EXPECT_THAT(to_text(checked.error()), HasSubstr("tile_co"));
}

}  // namespace
}  // namespace opbench
