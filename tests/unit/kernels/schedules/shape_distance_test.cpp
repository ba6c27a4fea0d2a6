#include "kernels/schedules/shape_distance.h"

#include <gmock/gmock.h>

#include <cmath>

namespace opbench {
namespace {

using ::testing::DoubleNear;
using ::testing::Eq;
using ::testing::Optional;

TEST(ShapeDistance, SumsTheLogarithmsOfExtents) {
  const std::string unit = "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; add 1x64x56x56; relu";
  EXPECT_THAT(shape_distance(unit, unit), Optional(0.0));
  const std::string half = "conv2d 1x64x28x28 w:64x64x3x3 pads=1,1,1,1; add 1x64x28x28; relu";
  EXPECT_THAT(shape_distance(unit, half), Optional(DoubleNear(4 * std::log(2.0), 1e-9)));
  EXPECT_THAT(shape_distance(half, unit), Optional(DoubleNear(4 * std::log(2.0), 1e-9)));
}

TEST(ShapeDistance, CountsGroupsOfADepthwiseConvolution) {
  EXPECT_THAT(shape_distance("conv2d 1x32x14x14 w:32x1x3x3 group=32",
                             "conv2d 1x64x14x14 w:64x1x3x3 group=64"),
              Optional(DoubleNear(3 * std::log(2.0), 1e-9)));
}

TEST(ShapeDistance, IsThereForExtentsOnly) {
  const std::string one = "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1";
  for (const char* other :
       {"conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu",       // another operator
        "conv2d 1x64x56x56 w:64x64x3x3 pads=0,0,1,1",             // another attribute
        "conv2d 1x64x56x56 w:64x64x5x5 pads=1,1,1,1",             // another window
        "conv2d 1x64x56x56 64x64x3x3 pads=1,1,1,1",               // a weight that is none
        "conv2d 1x64x56 w:64x64x3x3 pads=1,1,1,1",                // another rank
        "conv2d 1x64x56x56:float16 w:64x64x3x3 pads=1,1,1,1",     // another data type
        "conv2d 1x64x56x56 w:64x64x3x3 group=2 pads=1,1,1,1"}) {  // groups
    EXPECT_THAT(shape_distance(one, other), Eq(std::nullopt)) << other;
  }
  EXPECT_THAT(shape_distance("add 1x8:float32 =1", "add 1x8:float16 =1"), Eq(std::nullopt));
}

}  // namespace
}  // namespace opbench
