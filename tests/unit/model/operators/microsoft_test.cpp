#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "known_node.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

auto microsoft_near(const Floats& values) { return Pointwise(FloatNear(1e-5F), values); }

const float kMicrosoftLn2 = std::log(2.0F);
const float kMicrosoftLn3 = std::log(3.0F);

Tensor whole32(Shape shape, const std::vector<int32_t>& values) {
  return Tensor::of<int32_t>(DataType::kInt32, std::move(shape), values);
}

Node microsoft(const std::string& type, size_t operands, size_t results, Attributes attributes) {
  Node node = node_with(type, operands, results, std::move(attributes));
  node.domain = "com.microsoft";
  return node;
}

TEST(OperatorDomain, TellsOperatorsOfOneNameApart) {
  EXPECT_EQ(operator_of(microsoft("Attention", 3, 1, {}))->name, "packed_attention");
  EXPECT_EQ(operator_of(node_with("Attention", 3, 1))->name, "attention");
  EXPECT_EQ(operator_of(microsoft("Conv", 2, 1, {})), nullptr);
  EXPECT_EQ(word_of(microsoft("BiasGelu", 2, 1, {})), "com.microsoft.bias_gelu");
}

TEST(OperatorDomain, IsPartOfTheText) {
  const std::string text = "com.microsoft.quick_gelu 2x3 alpha=1; relu";
  const auto workload = parse_workload(text);
  ASSERT_TRUE(workload) << to_text(workload.error());
  EXPECT_EQ(workload->graph.nodes[0].domain, "com.microsoft");
  EXPECT_EQ(workload->graph.nodes[1].domain, "");
  EXPECT_EQ(text_of(*workload), text);
  EXPECT_FALSE(parse_workload("quick_gelu 2x3"));
}

TEST(FusedMatMul, MultipliesTransposedOperands) {
  EXPECT_THAT(floats("com.microsoft.fused_mat_mul 1x2 2x2 transB=1 alpha=2", {1, 2, 3, 4, 5, 6}),
              ElementsAre(22, 34));
  EXPECT_THAT(shape("com.microsoft.fused_mat_mul 7x3x8 3x8x5 transBatchA=1"), ElementsAre(3, 7, 5));
  EXPECT_THAT(floats("com.microsoft.fused_mat_mul 2x3x1 3x1x1 transBatchA=1", count_up(9)),
              ElementsAre(7, 28, 16, 40, 27, 54));
}

TEST(SkipNorm, AddsTheResidualFirst) {
  EXPECT_THAT(
      floats("com.microsoft.skip_layer_normalization 1x1x2 1x1x2 2 2", {1, 2, 0, 1, 10, 10, 0, 1}),
      microsoft_near({-10, 11}));
  EXPECT_THAT(floats("com.microsoft.skip_simplified_layer_normalization 1x1x2 1x2 2",
                     {1, 2, 2, 2, 3.5355339F, 3.5355339F}),
              microsoft_near({3, 4}));
  EXPECT_FALSE(parse_workload("com.microsoft.skip_layer_normalization 1x3x2 1x2x2 2"));
  EXPECT_FALSE(parse_workload(
      "com.microsoft.skip_simplified_layer_normalization 1x3x2 1x3x2 2 outputs=0,1"));
}

TEST(MultiHeadAttention, TakesPackedOperands) {
  const Floats apart =
      floats("com.microsoft.multi_head_attention 1x2x4 1x2x4 1x2x4 num_heads=2",
             {1, 2, 5, 6, 3, 4, 7, 8, 1, 0, 0, 1, 0, 1, 1, 0, 1, 2, 5, 6, 3, 4, 7, 8});
  // [step, head, query key value, element]
  const Floats packed =
      floats("com.microsoft.multi_head_attention 1x2x2x3x2 num_heads=2",
             {1, 2, 1, 0, 1, 2, 5, 6, 0, 1, 5, 6, 3, 4, 0, 1, 3, 4, 7, 8, 1, 0, 7, 8});
  const Floats packed_keys =
      floats("com.microsoft.multi_head_attention 1x2x4 1x2x2x2x2 num_heads=2",
             {1, 2, 5, 6, 3, 4, 7, 8, 1, 0, 1, 2, 0, 1, 5, 6, 0, 1, 3, 4, 1, 0, 7, 8});
  EXPECT_THAT(packed, microsoft_near(apart));
  EXPECT_THAT(packed_keys, microsoft_near(apart));
}

TEST(MultiHeadAttention, HidesPadding) {
  const Node node =
      microsoft("MultiHeadAttention", 5, 1, {{"num_heads", int64_t{1}}, {"scale", 1.0F}});
  std::vector<Tensor> inputs{
      real_tensor({1, 1, 1}, {1}), real_tensor({1, 3, 1}, {0, kMicrosoftLn2, kMicrosoftLn3}),
      real_tensor({1, 3, 1}, {6, 12, 18}), left_out(), whole32({1, 3}, {1, 0, 1})};
  EXPECT_THAT(floats_of(results_of(node, inputs).value()[0]), microsoft_near({15}));
  inputs[4] = whole32({1}, {2});
  EXPECT_THAT(floats_of(results_of(node, inputs).value()[0]), microsoft_near({10}));
  inputs[4] = whole32({4}, {1, 1, 1, 1});
  EXPECT_THAT(refusal_of(node, inputs), HasSubstr("padding mask 4:int32 does not fit"));
}

/// One head of size 1 and two steps in the past, of which `filled` count.
std::vector<Tensor> one_step(int32_t filled) {
  return {real_tensor({1, 1, 1}, {1}),
          real_tensor({1, 1, 1}, {kMicrosoftLn3}),
          real_tensor({1, 1, 1}, {18}),
          real_tensor({1, 1, 2, 1}, {0, kMicrosoftLn2}),
          real_tensor({1, 1, 2, 1}, {6, 12}),
          whole32({1}, {filled}),
          whole32({1}, {3})};
}

TEST(GroupQueryAttention, PutsTheStepBehindWhatIsFilled) {
  const Node node =
      microsoft("GroupQueryAttention", 7, 3,
                {{"num_heads", int64_t{1}}, {"kv_num_heads", int64_t{1}}, {"scale", 1.0F}});
  auto results = results_of(node, one_step(2));
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(floats_of((*results)[0]), microsoft_near({14}));
  EXPECT_THAT(floats_of((*results)[2]), microsoft_near({6, 12, 18}));
  results = results_of(node, one_step(1));
  EXPECT_THAT(floats_of((*results)[0]), microsoft_near({15}));
  EXPECT_THAT(floats_of((*results)[2]), microsoft_near({6, 18, 0}));
  EXPECT_THAT(refusal_of(node, one_step(3)), HasSubstr("seqlens_k 3 is outside 3 steps"));
}

TEST(GroupQueryAttention, SeesTheStepsOfItsWindow) {
  const Node node = microsoft("GroupQueryAttention", 7, 3,
                              {{"num_heads", int64_t{1}},
                               {"kv_num_heads", int64_t{1}},
                               {"scale", 1.0F},
                               {"local_window_size", int64_t{2}}});
  const auto results = results_of(node, one_step(2));
  EXPECT_THAT(floats_of((*results)[0]), microsoft_near({(12 * 2 + 18 * 3) / 5.0F}));
}

TEST(GroupQueryAttention, NeedsNotKnowItsTotalLength) {
  const auto workload = parse_workload(
      "com.microsoft.group_query_attention 1x1x64 1x1x32 1x1x32 1x2x9x16 1x2x9x16 "
      "1:int32 1:int32 num_heads=4 kv_num_heads=2 outputs=0,1,2");
  ASSERT_TRUE(workload) << to_text(workload.error());
  EXPECT_EQ(workload->graph.types.at("y").shape, (Shape{1, 1, 64}));
  EXPECT_EQ(workload->graph.types.at("y1").shape, (Shape{1, 2, 10, 16}));
}

TEST(GroupQueryAttention, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(
      parse_workload("com.microsoft.group_query_attention 1x5x64 1x5x32 1x5x32 _ _ "
                     "1:int32 5:int32 num_heads=4 kv_num_heads=2"));
  EXPECT_FALSE(
      parse_workload("com.microsoft.group_query_attention 1x5x64 1x5x32 1x5x32 _ _ "
                     "1:int32 =9:int32 num_heads=4 kv_num_heads=2"));
  EXPECT_FALSE(
      parse_workload("com.microsoft.group_query_attention 1x5x64 1x5x32 1x5x32 _ _ "
                     "1:int32 =5:int32 num_heads=4 kv_num_heads=2 do_rotary=1"));
}

}  // namespace
}  // namespace opbench
