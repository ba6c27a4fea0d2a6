#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CastLike, HasTheTypeOfItsSecondOperand) {
  const NodeOnTensors node(make_node("CastLike"),
                           {float_tensor({3}, {-1.5F, 0, 2.75F}), int_tensor({0}, {})});
  EXPECT_EQ(node.types().value()[0], (TensorType{DataType::kInt64, {3}}));
  EXPECT_THAT(node.integers(), ElementsAre(-1, 0, 2));
  EXPECT_THAT(floats("cast_like 2 5x5", {1, 2}), ElementsAre(1, 2));
}

TEST(CastLike, MakesTruthValues) {
  const NodeOnTensors node(make_node("CastLike"),
                           {float_tensor({3}, {-1.5F, 0, 2}), bool_tensor({}, {0})});
  EXPECT_THAT(node.integers(), ElementsAre(1, 0, 1));
}

TEST(CastLike, IsACastInModernForm) {
  const NodeOnTensors node(make_node("CastLike"), {float_tensor({1}, {1}), int_tensor({}, {0})});
  std::map<std::string, Tensor> constants;
  const Node modern = node.definition().modern_form(node.call(), constants);
  EXPECT_EQ(modern.type, "Cast");
  EXPECT_EQ(modern.inputs.size(), 1U);
  EXPECT_EQ(modern.attributes, (Attributes{{"to", int64_t{7}}}));
}

TEST(CastLike, RefusesTypesWithoutNumbers) {
  EXPECT_THAT(refusal_of("cast_like 2 1:string"), HasSubstr("does not cast to string"));
  EXPECT_THAT(refusal_of("cast_like 2"), HasSubstr("operand 1 is missing"));
  EXPECT_THAT(refusal_of("cast 2 to=8"), HasSubstr("does not cast to ONNX type 8"));
}

TEST(CastLike, KeepsItsText) {
  EXPECT_EQ(normal_text("cast_like 2 1:float16"), "cast_like 2 1:float16");
}

}  // namespace
}  // namespace opbench
