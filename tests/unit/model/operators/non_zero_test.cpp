#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NonZero, GivesARowOfIndicesForEachDimension) {
  const NodeOnTensors node(make_node("NonZero"), {float_tensor({2, 3}, {0, 1, 0, -2, 0, 3})});
  EXPECT_EQ(node.types().value()[0], (TensorType{DataType::kInt64, {2, 3}}));
  EXPECT_THAT(node.integers(), ElementsAre(0, 1, 1, 1, 0, 2));
}

TEST(NonZero, HasNoRowForAScalar) {
  const NodeOnTensors one(make_node("NonZero"), {float_tensor({}, {5})});
  EXPECT_EQ(one.types().value()[0].shape, (Shape{0, 1}));
  EXPECT_THAT(one.integers(), ElementsAre());
}

TEST(NonZero, FindsNothingInZerosAndInNothing) {
  EXPECT_EQ(shape("non_zero =0,0,0:bool"), (Shape{1, 0}));
  EXPECT_EQ(
      NodeOnTensors(make_node("NonZero"), {float_tensor({2, 0}, {})}).types().value()[0].shape,
      (Shape{2, 0}));
}

TEST(NonZero, NeedsItsDataBeforeTheRun) {
  EXPECT_THAT(refusal_of("non_zero 3"), HasSubstr("its data (operand 0) must be known"));
}

TEST(NonZero, KeepsItsText) { EXPECT_EQ(normal_text("non_zero =0,2,1"), "non_zero =0,2,1"); }

}  // namespace
}  // namespace opbench
