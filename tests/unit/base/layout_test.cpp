#include "base/tensors/layout.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(Layout, SplitsChannelsIntoBlocksThatBecomeInnermost) {
  EXPECT_EQ(physical_shape({1, 17, 5, 3}, {8}), (Shape{1, 3, 5, 3, 8}));
  EXPECT_EQ(physical_shape({2, 16}, {16}), (Shape{2, 1, 16}));
  EXPECT_EQ(physical_shape({1, 0, 5}, {8}), (Shape{1, 0, 5, 8}));
}

TEST(Layout, LeavesDenseTensorsAndVectorsAsTheyAre) {
  EXPECT_TRUE(Layout{}.is_dense());
  EXPECT_EQ(physical_shape({1, 17, 5, 3}, {}), (Shape{1, 17, 5, 3}));
  EXPECT_EQ(physical_shape({17}, {8}), (Shape{17}));
  EXPECT_EQ(physical_shape({}, {8}), Shape{});
}

TEST(Layout, CountsBlocks) {
  EXPECT_EQ(channel_blocks(16, {8}), 2);
  EXPECT_EQ(channel_blocks(17, {8}), 3);
}

}  // namespace
}  // namespace opbench
