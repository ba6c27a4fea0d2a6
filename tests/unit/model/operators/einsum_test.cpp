#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_runner.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node einsum(const std::string& equation) { return node_of("Einsum", {{"equation", equation}}); }

TEST(Einsum, MultipliesMatrices) {
  const Floats data = {1, 2, 3, 4, 5, 6, 1, 0, 0, 1, 1, 1};
  EXPECT_THAT(floats("einsum 2x3 3x2 equation=ij,jk->ik", data), ElementsAre(4, 5, 10, 11));
  EXPECT_THAT(floats("einsum 2x3 3x2 equation=ij,jk->ki", data), ElementsAre(4, 10, 5, 11));
  EXPECT_THAT(floats("einsum 2x3 3x2 equation=ij,jk", data), ElementsAre(4, 5, 10, 11));
  EXPECT_THAT(floats("einsum 2x3 3x2 equation=ij,jk->", data), ElementsAre(30));
}

TEST(Einsum, TakesDiagonalsSumsAndTransposes) {
  EXPECT_THAT(floats("einsum 2x2 equation=ii->i", count_up(4)), ElementsAre(1, 4));
  EXPECT_THAT(floats("einsum 2x2 equation=ii", count_up(4)), ElementsAre(5));
  EXPECT_THAT(floats("einsum 2x2 equation=ba", count_up(4)), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(floats("einsum 2x3 equation=ij->i", count_up(6)), ElementsAre(6, 15));
  EXPECT_THAT(floats("einsum scalar 2 equation=,i->i", {3, 1, 2}), ElementsAre(3, 6));
}

TEST(Einsum, TakesThreeOperands) {
  EXPECT_THAT(floats("einsum 2 2 2 equation=i,j,i->j", {1, 2, 3, 4, 5, 6}), ElementsAre(51, 68));
}

TEST(Einsum, BroadcastsEllipses) {
  EXPECT_THAT(floats("einsum 2x2x2 equation=...ii->...i", count_up(8)), ElementsAre(1, 4, 5, 8));
  EXPECT_THAT(floats("einsum 2x1x2 3x2 equation=...i,...i->...", count_up(10)),
              ElementsAre(17, 23, 29, 39, 53, 67));
  EXPECT_THAT(floats("einsum 2x2 equation=i...->...", count_up(4)), ElementsAre(4, 6));
  EXPECT_THAT(floats("einsum 2 1 equation=i,i->i", {1, 2, 3}), ElementsAre(3, 6));
}

TEST(Einsum, IsTheSameWithBlanksAndWithoutOutput) {
  const auto types = run_node(einsum(" i j , j k -> i k "),
                              {float_tensor({1, 1}, {2}), float_tensor({1, 1}, {3})});
  ASSERT_TRUE(types) << to_text(types.error());
  EXPECT_THAT(values_of<float>(types->at(0)), ElementsAre(6));
  const auto text = [](const std::string& from) { return text_of(parse_workload(from).value()); };
  EXPECT_EQ(text("einsum 2x3 3x2 equation=bj,ja"), "einsum 2x3 3x2 equation=bj,ja->ab");
  EXPECT_EQ(text("einsum 2x3x4 equation=...b"), "einsum 2x3x4 equation=...b->...b");
  EXPECT_EQ(flops_of(parse_workload("einsum 2x3 3x2 equation=ij,jk").value()), 24);
  EXPECT_EQ(flops_of(parse_workload("einsum 2x3 equation=ij->ji").value()), 0);
}

TEST(Einsum, WrapsIntegersAndTakesEmptyTensors) {
  EXPECT_THAT(
      result_of<uint8_t>(einsum("i,i"), {tensor_of<uint8_t>(DataType::kUint8, {2}, {200, 1}),
                                         tensor_of<uint8_t>(DataType::kUint8, {2}, {2, 3})}),
      ElementsAre(147));
  EXPECT_THAT(result_of(einsum("ij->j"), {float_tensor({0, 2}, {})}), ElementsAre(0, 0));
  EXPECT_THAT(result_of(einsum("ij->j"), {float_tensor({2, 0}, {})}), ElementsAre());
}

TEST(Einsum, RefusesWhatIsNoEquation) {
  const Tensor x = float_tensor({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(refusal(einsum("ij->ik"), {x}), HasSubstr("has 'k' in its output only"));
  EXPECT_THAT(refusal(einsum("ij->ii"), {x}), HasSubstr("repeats 'i' in its output"));
  EXPECT_THAT(refusal(einsum("i1->i"), {x}), HasSubstr("has '1' in a term"));
  EXPECT_THAT(refusal(einsum("ij,jk"), {x}), HasSubstr("has 2 terms for 1 operands"));
  EXPECT_THAT(refusal(einsum("i"), {x}), HasSubstr("does not fit operand 0 of shape 2x2"));
  EXPECT_THAT(refusal(einsum("ijk"), {x}), HasSubstr("does not fit operand 0 of shape 2x2"));
  EXPECT_THAT(refusal(einsum("...i->i"), {x}), HasSubstr("has an ellipsis on one side only"));
  EXPECT_THAT(refusal(einsum("ij,jk"), {x, float_tensor({3, 1}, {1, 2, 3})}),
              HasSubstr("gives one letter extents 2 and 3"));
  EXPECT_THAT(refusal(einsum("ii"), {float_tensor({1, 2}, {1, 2})}),
              HasSubstr("gives one letter extents 1 and 2"));
  EXPECT_THAT(refusal(einsum("ij,ij"), {x, tensor_of<int32_t>(DataType::kInt32, {1, 1}, {1})}),
              HasSubstr("operand 1 is int32, the first float32"));
}

}  // namespace
}  // namespace opbench
