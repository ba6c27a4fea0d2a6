#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CumSum, AddsUpForwardAndBackward) {
  EXPECT_THAT(floats("cum_sum 4 =0:int32", {1, 2, 3, 4}), ElementsAre(1, 3, 6, 10));
  EXPECT_THAT(floats("cum_sum 4 =0:int32 exclusive=1", {1, 2, 3, 4}), ElementsAre(0, 1, 3, 6));
  EXPECT_THAT(floats("cum_sum 4 =0:int32 reverse=1", {1, 2, 3, 4}), ElementsAre(10, 9, 7, 4));
  EXPECT_THAT(floats("cum_sum 4 =0:int32 exclusive=1 reverse=1", {1, 2, 3, 4}),
              ElementsAre(9, 7, 4, 0));
}

TEST(CumSum, AddsAlongItsAxis) {
  EXPECT_THAT(floats("cum_sum 2x2 =0:int64", {1, 2, 3, 4}), ElementsAre(1, 2, 4, 6));
  EXPECT_THAT(floats("cum_sum 2x2 =-1,:int64", {1, 2, 3, 4}), ElementsAre(1, 3, 3, 7));
  EXPECT_THAT(floats("cum_sum 2x2x2 =1:int64 reverse=1", {1, 2, 3, 4, 5, 6, 7, 8}),
              ElementsAre(4, 6, 3, 4, 12, 14, 7, 8));
  EXPECT_EQ(shape("cum_sum 2x0 =1:int64"), (Shape{2, 0}));
  EXPECT_THAT(floats("cum_sum 2x0 =1:int64 reverse=1", {}), ElementsAre());
}

TEST(CumSum, KeepsSmallSummandsAndWrapsIntegers) {
  EXPECT_THAT(floats("cum_sum 3 =0:int64", {16777216, 1, 1}),
              ElementsAre(16777216, 16777216, 16777218));
  const NodeOnTensors node(make_node("CumSum"),
                           {int_tensor({2}, {INT64_MAX, 1}), int_tensor({}, {0})});
  EXPECT_THAT(node.integers(), ElementsAre(INT64_MAX, INT64_MIN));
}

TEST(CumSum, RefusesAnAxisOutside) {
  EXPECT_THAT(refusal_of("cum_sum 2x2 =2:int64"), HasSubstr("axis 2 is outside rank 2"));
  EXPECT_THAT(refusal_of("cum_sum 2x2 =0,1:int64"), HasSubstr("its axis has 2 elements, not 1"));
  EXPECT_THAT(refusal_of("cum_sum 2x2 =0"), HasSubstr("its axis must be integers, not float32"));
}

TEST(CumSum, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("cum_sum 2 =0:int64 exclusive=0 reverse=1"),
            "cum_sum 2 =0:int64 reverse=1");
}

}  // namespace
}  // namespace opbench
