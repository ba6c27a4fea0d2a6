#include "experiments/partition/split_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/partition/partition_session.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

std::string part(const std::string& text, int64_t channels) {
  const auto split = parse_split_workload(text);
  if (!split) return to_text(split.error());
  const auto cut = part_text(*split, channels);
  return cut ? *cut : to_text(cut.error());
}

TEST(SplitWorkload, CutsConvolutionsWithWhatFollows) {
  EXPECT_EQ(part("conv2d 1x8x6x6 w:64x8x3x3 w:64 pads=1,1,1,1; add 1x64x6x6; relu", 16),
            "conv2d 1x8x6x6 w:16x8x3x3 w:16 pads=1,1,1,1; add 1x16x6x6; relu");
  EXPECT_EQ(part("conv2d 1x8x6x6 w:64x8x1x1; mul w:64x1x1; add w:1x64x1x1", 48),
            "conv2d 1x8x6x6 w:48x8x1x1; mul w:48x1x1; add w:1x48x1x1");
  // One value for all channels, and one a column, stay.
  EXPECT_EQ(part("conv2d 1x8x64x64 w:64x8x1x1; mul w:64; add w:1x1x1", 16),
            "conv2d 1x8x64x64 w:16x8x1x1; mul w:64; add w:1x1x1");
}

TEST(SplitWorkload, CutsProductsAlongTheirLastDimension) {
  EXPECT_EQ(part("dense 1x512 w:1000x512 w:1000 transB=1; relu", 128),
            "dense 1x512 w:128x512 w:128 transB=1; relu");
  EXPECT_EQ(part("dense 4x512 w:512x96", 32), "dense 4x512 w:512x32");
  EXPECT_EQ(part("matmul 2x7x512 w:512x96; add w:96", 32), "matmul 2x7x512 w:512x32; add w:32");
}

TEST(SplitWorkload, KnowsChannelsAndBytes) {
  const auto split = parse_split_workload("conv2d 1x8x6x6 w:64x8x3x3 pads=1,1,1,1");
  ASSERT_TRUE(split);
  EXPECT_EQ(split->channels, 64);
  EXPECT_EQ(split->output_bytes, 64 * 6 * 6 * 4);
  EXPECT_EQ(parse_split_workload("dense 1x8 w:32x8 transB=1")->channels, 32);
  EXPECT_EQ(parse_split_workload("dense 1x8 w:8x48")->channels, 48);
}

TEST(SplitWorkload, RefusesWhatHasNoSuchChannels) {
  EXPECT_THAT(part("relu 1x64x8x8", 8), HasSubstr("its first step is Relu"));
  EXPECT_THAT(part("conv2d 1x64x6x6 w:64x1x3x3 group=64", 8), HasSubstr("has groups"));
  EXPECT_THAT(part("matmul 4x8 8x64", 8), HasSubstr("its second operand is no weight"));
  EXPECT_THAT(part("conv2d 1x8x6x6 w:64x8x1x1; softmax", 8), HasSubstr("step 2 is Softmax"));
  EXPECT_THAT(part("conv2d 1x8x6x6 w:64x9x1x1", 8), HasSubstr("error: "));
}

TEST(PartSizes, AreSlowWhereMorePartsTakeLess) {
  using ::testing::ElementsAre;
  EXPECT_TRUE(slow_sizes({1, 2, 3}).empty());
  EXPECT_TRUE(slow_sizes({1, 3, 2.9}).empty());
  EXPECT_THAT(slow_sizes({4, 1, 3, 2}), ElementsAre(1, 3));
}

TEST(PartSizes, AreWholeVectors) {
  EXPECT_EQ(part_sizes(64, 16, 8), (PartSizes{16, 4}));
  EXPECT_EQ(part_sizes(512, 16, 8), (PartSizes{64, 8}));
  EXPECT_EQ(part_sizes(1000, 16, 8), (PartSizes{128, 8}));
  EXPECT_EQ(part_sizes(40, 16, 8), (PartSizes{16, 3}));
  EXPECT_EQ(part_sizes(16, 16, 8).parts, 1);
  for (int64_t channels = 2; channels < 300; ++channels) {
    const PartSizes sizes = part_sizes(channels, 8, 6);
    EXPECT_LE(sizes.parts, 6);
    EXPECT_EQ(sizes.part_channels % 8, 0);
    EXPECT_GE(sizes.parts * sizes.part_channels, channels);
    EXPECT_LT((sizes.parts - 1) * sizes.part_channels, channels);
  }
}

}  // namespace
}  // namespace opbench
