#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

class ConvRows : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, ConvRows,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(ConvRows, ComputesGroupsThatAreNoMultipleOfTheVector) {
  for (const char* workload : {
           "conv2d 1x24x13x13 w:66x12x5x5 w:66 group=2 pads=2,2,2,2",
           "conv2d 2x18x9x11 w:24x3x3x3 group=6 strides=2,2 pads=1,1,1,1; relu",
           "conv2d 1x20x7x7 w:30x4x1x1 w:30 group=5",
       }) {
    expect_computes("conv_rows", workload, GetParam());
  }
}

TEST_P(ConvRows, ComputesStridesDilationsAndUnevenPads) {
  for (const char* workload : {
           "conv2d 1x6x15x13 w:10x6x3x5 w:10 strides=2,3 pads=1,0,2,3",
           "conv2d 1x6x15x13 w:10x6x3x3 w:10 dilations=2,3 pads=2,3,2,3; add 1x10x15x13",
           "conv2d 1x6x17x19 w:10x6x3x3 w:10 dilations=3,2 strides=2,2 pads=1,1,0,2",
           "conv2d 1x3x5x4 w:7x3x5x4 w:7",
           "conv2d 1x2x40x1 w:3x2x3x1",
           "conv2d 1x6x17x19 w:10x6x1x2 w:10 strides=3,4",
           "conv2d 2x4x9x40 w:6x4x3x5 w:6 pads=1,2,1,2",
           "conv2d 1x4x9x10 w:6x4x3x5 w:6 pads=1,4,1,3 strides=1,2",
       }) {
    expect_computes("conv_rows", workload, GetParam());
  }
}

TEST_P(ConvRows, ComputesOneDimension) {
  for (const char* workload : {
           "conv2d 1x8x21 w:12x8x5 w:12 pads=2,2",
           "conv2d 1x1x400 w:33x1x64 strides=16",
           "conv2d 2x3x40 w:17x3x4 w:17 strides=2",
           "conv2d 3x6x50 w:9x2x7 w:9 group=3 strides=3 dilations=2 pads=3,5; relu",
       }) {
    expect_computes("conv_rows", workload, GetParam());
  }
}

TEST_P(ConvRows, ComputesThreeDimensions) {
  for (const char* workload : {
           "conv2d 1x3x5x7x9 w:7x3x3x3x3 w:7 pads=1,1,1,1,1,1; relu",
           "conv2d 2x6x9x6x5 w:9x2x2x3x1 group=3 strides=2,1,3 pads=0,2,1,1,0,2",
           "conv2d 1x4x13x3x10 w:6x4x3x2x2 dilations=2,1,3 strides=1,2,2",
       }) {
    expect_computes("conv_rows", workload, GetParam());
  }
}

TEST(ConvRowsConfig, ComputesEveryRegisterTile) {
  for (const int64_t channels : {1, 2, 3, 6, 12}) {
    for (const int64_t vectors : {1, 2, 3, 4}) {
      expect_computes("conv_rows", "conv2d 1x4x9x10 w:12x4x3x3 w:12 pads=1,1,1,1; relu", "host",
                      {{"tile_co", channels}, {"vectors", vectors}});
    }
  }
}

TEST(ConvRowsConfig, ComputesTilesThatDoNotDivideTheChannels) {
  for (const int64_t channels : {2, 3, 5, 8}) {
    expect_computes("conv_rows", "conv2d 1x3x6x9 w:13x3x3x3 w:13 pads=1,1,1,1", "host",
                    {{"tile_co", channels}});
    expect_computes("conv_rows", "conv2d 2x6x6x9 w:22x3x3x3 w:22 pads=1,1,1,1 group=2; relu",
                    "host", {{"tile_co", channels}});
  }
}

TEST(ConvRowsConfig, RefusesTilesThatDoNotFit) {
  auto spec = kernel_spec("conv2d 1x4x9x10 w:12x2x3x3 group=2", "host", "conv_rows", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config.at("tile_co") = 7;
  const auto checked = check_spec(*spec);
  ASSERT_FALSE(checked);
  EXPECT_THAT(to_text(checked.error()), HasSubstr("tile_co"));
}

}  // namespace
}  // namespace opbench
