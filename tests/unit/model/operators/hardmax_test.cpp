#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Hardmax, MarksTheFirstLargestElementAlongItsAxis) {
  EXPECT_THAT(floats("hardmax 2x3", {1, 5, 5, 7, 2, 3}), ElementsAre(0, 1, 0, 1, 0, 0));
  EXPECT_THAT(floats("hardmax 2x3 axis=0", {1, 5, 5, 7, 2, 3}), ElementsAre(0, 1, 1, 1, 0, 0));
}

TEST(Hardmax, LeavesTheDefaultAxisOutOfItsText) {
  EXPECT_EQ(text_of(parse_workload("hardmax 2x3 axis=1").value()), "hardmax 2x3");
  EXPECT_EQ(text_of(parse_workload("hardmax 2x3 axis=0").value()), "hardmax 2x3 axis=0");
}

TEST(Hardmax, RefusesAnAxisOutsideTheTensor) { EXPECT_FALSE(parse_workload("hardmax 2x3 axis=2")); }

TEST(Hardmax, KeepsTheShapeAndCountsOneOperationAResult) {
  EXPECT_EQ(shape("hardmax 2x3x4"), (Shape{2, 3, 4}));
  EXPECT_EQ(flops_of(parse_workload("hardmax 2x3x4").value()), 24.0);
}

TEST(Hardmax, IsKnownFromOpset13On) {
  const TensorType type{DataType::kFloat32, {2, 3}};
  Node node;
  node.type = "Hardmax";
  const OperatorCall call{.node = &node, .opset = 12, .inputs = {&type}, .constants = {nullptr}};
  const auto types = operator_of(node)->infer(call);
  ASSERT_FALSE(types);
  EXPECT_THAT(types.error().message, HasSubstr("is known from opset 13 on"));
}

}  // namespace
}  // namespace opbench
