#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NodeOnTensors gather_elements(int64_t axis, const Tensor& indices) {
  return {make_node("GatherElements", {{"axis", axis}}),
          {float_tensor({2, 3}, {1, 2, 3, 4, 5, 6}), indices}};
}

TEST(GatherElements, PicksAnElementForEveryIndex) {
  EXPECT_THAT(gather_elements(1, int_tensor({2, 2}, {2, 0, 1, -1})).floats(),
              ElementsAre(3, 1, 5, 6));
  EXPECT_THAT(gather_elements(-2, int_tensor({3, 2}, {1, 0, 0, 0, -1, 1})).floats(),
              ElementsAre(4, 2, 1, 2, 4, 5));
  EXPECT_THAT(gather_elements(0, int_tensor({0, 3}, {})).floats(), ElementsAre());
}

TEST(GatherElements, RefusesWhatDoesNotFit) {
  EXPECT_THAT(gather_elements(0, int_tensor({1, 1}, {2})).refusal(),
              HasSubstr("index 2 is outside extent 2"));
  EXPECT_THAT(gather_elements(1, int_tensor({2, 2}, {0, 1, -3, -4})).refusal(),
              HasSubstr("index -4 is outside extent 3"));
  EXPECT_THAT(gather_elements(0, float_tensor({1, 1}, {0})).refusal(),
              HasSubstr("indices are float32"));
  EXPECT_THAT(refusal_of("gather_elements 2x3 2x4:int64"),
              HasSubstr("indices 2x4 do not fit data 2x3 along axis 0"));
  EXPECT_THAT(refusal_of("gather_elements 2x3 2:int64"), HasSubstr("has rank 1, not 2"));
  EXPECT_THAT(refusal_of("gather_elements 2x3 2x3:int64 axis=2"), HasSubstr("axis 2 is outside"));
}

TEST(GatherElements, CountsItsAxisFromTheFront) {
  EXPECT_EQ(normal_text("gather_elements 2x3 2x5:int64 axis=-1"),
            "gather_elements 2x3 2x5:int64 axis=1");
  EXPECT_EQ(normal_text("gather_elements 2x3 4x3:int64 axis=-2"), "gather_elements 2x3 4x3:int64");
}

}  // namespace
}  // namespace opbench
