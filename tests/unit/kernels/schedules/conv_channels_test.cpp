#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class ConvChannels : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, ConvChannels,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(ConvChannels, ComputesWhereRowsWasteMuch) {
  for (const char* workload : {
           "conv2d 1x16x6x9x10 w:32x16x2x5x7 w:32 pads=1,0,0,1,0,0 strides=3,1,1; relu",
           "conv2d 2x24x4x5x6 w:32x24x3x3x3 pads=1,1,1,1,1,1",
           "conv2d 1x48x7x7 w:33x48x5x5 w:33 dilations=1,2 pads=2,2,2,2",
           "conv2d 1x32x9x8 w:64x16x7x7 w:64 group=2 pads=3,3,3,3 strides=2,1; add 1x64x5x8",
           "conv2d 3x8x4x4x4 w:16x8x4x4x4",
       }) {
    expect_computes("conv_channels", workload, GetParam());
  }
}

TEST(ConvChannelsConfig, ComputesEveryRegisterTile) {
  const std::string workload = "conv2d 1x16x9x10 w:40x16x5x7 w:40 pads=2,1,2,1; relu";
  auto spec = kernel_spec(workload, "host", "conv_channels", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  int computed = 0;
  for (const int64_t x : {1, 3, 6}) {
    for (const int64_t y : {1, 2, 4}) {
      for (const int64_t vectors : {1, 2, 3}) {
        const Config tile = {{"tile_x", x}, {"tile_y", y}, {"vectors", vectors}};
        for (const auto& [knob, value] : tile) spec->config.at(knob) = value;
        if (!check_spec(*spec)) continue;  // more sums than this machine has registers
        expect_computes("conv_channels", workload, "host", tile);
        ++computed;
      }
    }
  }
  EXPECT_GE(computed, 12);
}

TEST(ConvChannelsConfig, RefusesTilesThatDoNotFitRegisters) {
  const Config tile = {{"tile_x", 6}, {"tile_y", 2}, {"vectors", 2}};
  for (const auto& [target, fits] :
       {std::pair{"llvm -mcpu=skylake-avx512", true}, std::pair{"llvm -mcpu=haswell", false},
        std::pair{"llvm -mcpu=nehalem", false}}) {
    auto spec = kernel_spec("conv2d 1x16x9x10 w:40x16x5x7 w:40 pads=2,1,2,1; relu", target,
                            "conv_channels", false);
    ASSERT_TRUE(spec) << to_text(spec.error());
    for (const auto& [knob, value] : tile) spec->config.at(knob) = value;
    EXPECT_EQ(check_spec(*spec).has_value(), fits) << target;
  }
}

TEST(ConvChannelsRule, LeavesLongRowsAndFewChannelsToConvRows) {
  for (const char* workload : {"conv2d 1x16x64x64 w:32x16x3x3 pads=1,1,1,1",
                               "conv2d 1x16x6x9x10 w:3x16x2x5x7", "conv2d 1x2x9x9 w:32x2x3x3"}) {
    EXPECT_FALSE(kernel_spec(workload, "llvm -mcpu=skylake-avx512", "conv_channels", false))
        << workload;
  }
}

}  // namespace
}  // namespace opbench
