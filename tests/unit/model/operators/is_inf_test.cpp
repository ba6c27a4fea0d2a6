#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(IsInf, FindsInfinitiesOfBothSignsOrOfOne) {
  const Tensor x = float_tensor({4}, {INFINITY, -INFINITY, NAN, 1});
  EXPECT_THAT(NodeOnTensors(make_node("IsInf"), {x}).integers(), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(NodeOnTensors(make_node("IsInf", {{"detect_negative", int64_t{0}}}), {x}).integers(),
              ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(NodeOnTensors(make_node("IsInf", {{"detect_positive", int64_t{0}}}), {x}).integers(),
              ElementsAre(0, 1, 0, 0));
}

TEST(IsInf, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("is_inf 2 detect_negative=0 detect_positive=1"),
            "is_inf 2 detect_negative=0");
  EXPECT_EQ(shape("is_inf 2x0:float16"), (Shape{2, 0}));
}

TEST(IsInf, RefusesIntegers) {
  EXPECT_THAT(refusal_of("is_inf 2:int32"), HasSubstr("operand 0 is int32, no floating-point"));
}

TEST(IsNan, FindsWhatIsNoNumber) {
  const Tensor x = float_tensor({2, 2}, {INFINITY, NAN, -NAN, 1});
  const NodeOnTensors node(make_node("IsNaN"), {x});
  EXPECT_EQ(node.types().value()[0], (TensorType{DataType::kBool, {2, 2}}));
  EXPECT_THAT(node.integers(), ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(normal_text("is_nan 3:bfloat16"), "is_nan 3:bfloat16");
}

TEST(IsNan, RefusesIntegers) {
  EXPECT_THAT(refusal_of("is_nan 2:bool"), HasSubstr("operand 0 is bool, no floating-point"));
}

}  // namespace
}  // namespace opbench
