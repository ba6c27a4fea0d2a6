#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "known_node.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

auto attention_near(const Floats& values) { return Pointwise(FloatNear(1e-5F), values); }

const float kAttentionLn2 = std::log(2.0F);
const float kAttentionLn3 = std::log(3.0F);

Tensor bools(Shape shape, const std::vector<uint8_t>& values) {
  return Tensor::of<uint8_t>(DataType::kBool, std::move(shape), values);
}

/// One head of size 1 with two queries, 1 and 2, and three keys, whose products with 1 weigh
/// 1 : 2 : 3.
std::vector<Tensor> one_head() {
  return {real_tensor({1, 1, 2, 1}, {1, 2}),
          real_tensor({1, 1, 3, 1}, {0, kAttentionLn2, kAttentionLn3}),
          real_tensor({1, 1, 3, 1}, {6, 12, 18})};
}

Floats attended(const Node& node, std::vector<Tensor> inputs, int64_t opset = 23) {
  const auto results = results_of(node, inputs, opset);
  EXPECT_TRUE(results) << to_text(results.error());
  return floats_of(results.value()[0]);
}

TEST(Attention, WeighsValuesByTheSoftmaxOfProducts) {
  const Node node = node_with("Attention", 3, 1);
  EXPECT_THAT(attended(node, one_head()), attention_near({14, 216.0F / 14}));
  const Node scaled = node_with("Attention", 3, 1, {{"scale", 0.0F}});
  EXPECT_THAT(attended(scaled, one_head()), attention_near({12, 12}));
}

TEST(Attention, ScalesByTheRootOfTheHeadSize) {
  const std::vector<Tensor> inputs{
      real_tensor({1, 1, 1, 4}, {1, 1, 0, 0}),
      real_tensor({1, 1, 2, 4}, {kAttentionLn3, kAttentionLn3, 0, 0, 0, 0, 5, 5}),
      real_tensor({1, 1, 2, 1}, {4, 8})};
  EXPECT_THAT(attended(node_with("Attention", 3, 1), inputs), attention_near({5}));
}

TEST(Attention, MasksByNumbersAndBooleans) {
  const Node node = node_with("Attention", 4, 1);
  auto inputs = one_head();
  inputs.push_back(bools({2, 3}, {1, 0, 1, 0, 1, 0}));
  EXPECT_THAT(attended(node, inputs), attention_near({15, 12}));
  inputs[3] =
      real_tensor({1, 1, 1, 3}, {kAttentionLn2, 0, -std::numeric_limits<float>::infinity()});
  EXPECT_THAT(attended(node, inputs), attention_near({9, 10}));
  inputs[3] = bools({2, 3}, {0, 0, 0, 0, 0, 1});
  EXPECT_THAT(attended(node, inputs), attention_near({0, 18}));
}

TEST(Attention, MasksKeysThatAShortMaskLeavesOut) {
  const Node node = node_with("Attention", 4, 1);
  auto inputs = one_head();
  inputs.push_back(bools({1, 2}, {1, 1}));
  EXPECT_THAT(attended(node, inputs, 24), attention_near({10, 54.0F / 5}));
  inputs[3] = bools({1, 1}, {1});
  EXPECT_THAT(attended(node, inputs, 24), attention_near({6, 6}));
  EXPECT_THAT(attended(node, inputs, 23), attention_near({14, 216.0F / 14}));
  inputs[3] = bools({1, 4}, {1, 1, 1, 1});
  EXPECT_THAT(refusal_of(node, inputs, 23), HasSubstr("mask 1x4 does not fit scores 1x1x2x3"));
}

TEST(Attention, SeesNoLaterKeysWhenCausal) {
  const Node node = node_with("Attention", 3, 1, {{"is_causal", int64_t{1}}});
  EXPECT_THAT(attended(node, one_head()), attention_near({6, 54.0F / 5}));
}

TEST(Attention, PutsThePastBeforeItsKeys) {
  const Node node = node_with("Attention", 6, 3, {{"is_causal", int64_t{1}}});
  const std::vector<Tensor> inputs{real_tensor({1, 1, 2, 1}, {1, 2}),
                                   real_tensor({1, 1, 2, 1}, {kAttentionLn2, kAttentionLn3}),
                                   real_tensor({1, 1, 2, 1}, {12, 18}),
                                   left_out(),
                                   real_tensor({1, 1, 1, 1}, {0}),
                                   real_tensor({1, 1, 1, 1}, {6})};
  const auto results = results_of(node, inputs, 23).value();
  EXPECT_THAT(floats_of(results[0]), attention_near({10, 216.0F / 14}));
  EXPECT_EQ(floats_of(results[1]), (Floats{0, kAttentionLn2, kAttentionLn3}));
  EXPECT_EQ(floats_of(results[2]), (Floats{6, 12, 18}));
  EXPECT_EQ(results[2].type.shape, (Shape{1, 1, 3, 1}));
  auto without = inputs;
  without[5] = left_out();
  EXPECT_THAT(refusal_of(node, without, 23), HasSubstr("past_key and past_value go together"));
  without[5] = real_tensor({1, 1, 2, 1}, {6, 6});
  EXPECT_THAT(refusal_of(node, without, 23), HasSubstr("past_value 1x1x2x1 are not"));
}

TEST(Attention, EndsAtTheLengthsOfEachImage) {
  Node node = node_with("Attention", 7, 1);
  auto inputs = one_head();
  for (int i = 0; i < 3; ++i) inputs.push_back(left_out());
  inputs.push_back(whole_tensor({1}, {2}));
  EXPECT_THAT(attended(node, inputs, 24), attention_near({10, 54.0F / 5}));
  node.attributes["is_causal"] = int64_t{1};
  EXPECT_THAT(attended(node, inputs, 24), attention_near({6, 54.0F / 5}));
  inputs[6] = whole_tensor({1}, {4});
  EXPECT_THAT(refusal_of(node, inputs, 24), HasSubstr("nonpad_kv_seqlen 4 is outside 3 steps"));
}

TEST(Attention, SharesKeysAmongHeads) {
  const std::vector<Tensor> inputs{real_tensor({1, 4, 1, 1}, {1, 1, 1, 1}),
                                   real_tensor({1, 2, 1, 1}, {1, 1}),
                                   real_tensor({1, 2, 1, 2}, {1, 2, 3, 4})};
  EXPECT_THAT(attended(node_with("Attention", 3, 1), inputs), ElementsAre(1, 2, 1, 2, 3, 4, 3, 4));
  EXPECT_THAT(refusal_of(node_with("Attention", 3, 1),
                         {real_tensor({1, 3, 1, 1}, {1, 1, 1}), inputs[1], inputs[2]}),
              HasSubstr("2 heads of keys do not divide 3"));
}

TEST(Attention, TakesHeadsBesideEachOther) {
  const Node node =
      node_with("Attention", 3, 2, {{"q_num_heads", int64_t{2}}, {"kv_num_heads", int64_t{2}}});
  const std::vector<Tensor> inputs{real_tensor({1, 2, 2}, {1, 0, 1, 0}),
                                   real_tensor({1, 2, 2}, {0, 5, kAttentionLn3, 5}),
                                   real_tensor({1, 2, 2}, {4, 10, 8, 20})};
  const auto results = results_of(node, inputs, 23).value();
  EXPECT_EQ(results[0].type.shape, (Shape{1, 2, 2}));
  EXPECT_THAT(floats_of(results[0]), attention_near({7, 15, 7, 15}));
  EXPECT_THAT(floats_of(results[1]), attention_near({0, kAttentionLn3, 5, 5}));
  EXPECT_THAT(refusal_of(node_with("Attention", 3, 1), inputs, 23),
              HasSubstr("q_num_heads 0 does not divide"));
}

/// The scores of the first query over three keys, the last one masked, capped at 1.
Floats scores(int64_t stage) {
  const Node node =
      node_with("Attention", 4, 4, {{"qk_matmul_output_mode", stage}, {"softcap", 1.0F}});
  const std::vector<Tensor> inputs{
      real_tensor({1, 1, 1, 1}, {1}), real_tensor({1, 1, 3, 1}, {0, 2, 3}),
      real_tensor({1, 1, 3, 1}, {6, 12, 18}), real_tensor({1, 3}, {0, 1, -1000})};
  return floats_of(results_of(node, inputs, 23).value()[3]);
}

TEST(Attention, GivesItsScoresOfEveryStage) {
  EXPECT_THAT(scores(0), attention_near({0, 2, 3}));
  EXPECT_THAT(scores(1), attention_near({0, std::tanh(2.0F), std::tanh(3.0F)}));
  EXPECT_THAT(scores(2), attention_near({0, 1 + std::tanh(2.0F), std::tanh(3.0F) - 1000}));
  const float odds = std::exp(1 + std::tanh(2.0F));
  EXPECT_THAT(scores(3), attention_near({1 / (1 + odds), odds / (1 + odds), 0}));
  const Node node = node_with("Attention", 3, 1, {{"qk_matmul_output_mode", int64_t{4}}});
  EXPECT_THAT(refusal_of(node, one_head(), 23), HasSubstr("qk_matmul_output_mode 4 is not 0 to 3"));
}

TEST(Attention, LeavesOutputsAloneThatNobodyReads) {
  Node node = node_with("Attention", 3, 2);
  node.outputs[0].clear();
  EXPECT_EQ(floats_of(results_of(node, one_head(), 23).value()[1]),
            (Floats{0, kAttentionLn2, kAttentionLn3}));
}

TEST(Attention, HasATextAndCountsPairs) {
  const std::string text = "attention 1x2x8 1x3x4 1x3x4 is_causal=1 kv_num_heads=1 q_num_heads=2";
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
  EXPECT_EQ(shape(text), (Shape{1, 2, 8}));
  EXPECT_EQ(flops_of(parse_workload(text).value()), 2 * (1 + 2) * (2 * 8 + 5));
  const std::string whole = "attention 1x2x2x4 1x1x3x4 1x1x3x5";
  EXPECT_EQ(text_of(parse_workload(whole + " scale=0.5 softmax_precision=1").value()), whole);
  EXPECT_EQ(flops_of(parse_workload(whole).value()), 2 * 2 * 3 * (2 * 9 + 5));
}

TEST(RotaryEmbedding, TurnsHalvesOrNeighbours) {
  const Floats data{1, 2, 3, 4, 0, 1, 1, 0};  // cosines 0, 1 and sines 1, 0
  EXPECT_THAT(floats("rotary_embedding 1x1x1x4 1x1x2 1x1x2", data), ElementsAre(-3, 2, 1, 4));
  EXPECT_THAT(floats("rotary_embedding 1x1x1x4 1x1x2 1x1x2 interleaved=1", data),
              ElementsAre(-2, 1, 3, 4));
}

TEST(RotaryEmbedding, TurnsPartOfAHead) {
  EXPECT_THAT(
      floats("rotary_embedding 1x1x1x4 1x1x1 1x1x1 rotary_embedding_dim=2", {1, 2, 3, 4, 0, 1}),
      ElementsAre(-2, 1, 3, 4));
}

TEST(RotaryEmbedding, LooksPositionsUp) {
  const Node node = node_with("RotaryEmbedding", 4, 1, {{"num_heads", int64_t{2}}});
  const std::vector<Tensor> inputs{real_tensor({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}),
                                   real_tensor({2, 1}, {1, 0}), real_tensor({2, 1}, {0, 1}),
                                   whole_tensor({1, 2}, {1, 0})};
  EXPECT_THAT(floats_of(results_of(node, inputs, 23).value()[0]),
              ElementsAre(-2, 1, -4, 3, 5, 6, 7, 8));
  auto far = inputs;
  far[3] = whole_tensor({1, 2}, {0, 2});
  EXPECT_THAT(refusal_of(node, far, 23), HasSubstr("position 2 is outside 2 rows"));
  far[3] = left_out();
  EXPECT_THAT(refusal_of(node, far, 23), HasSubstr("caches 2x1 and 2x1 do not fit"));
}

TEST(RotaryEmbedding, RefusesWhatDoesNotTurnInPairs) {
  const auto refusal = [](const std::string& text) { return parse_workload(text).error().message; };
  EXPECT_THAT(refusal("rotary_embedding 1x1x1x3 1x1x1 1x1x1"),
              HasSubstr("3 elements of a head of 3 do not turn in pairs"));
  EXPECT_THAT(refusal("rotary_embedding 1x1x6 1x1x1 1x1x1 num_heads=4"),
              HasSubstr("num_heads 4 does not divide"));
}

TEST(RotaryEmbedding, HasAText) {
  const std::string text = "rotary_embedding 1x2x8 3x2 3x2 1x2:int64 num_heads=2";
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
  EXPECT_EQ(flops_of(parse_workload(text).value()), 3 * 16);
  EXPECT_EQ(text_of(parse_workload(text + " rotary_embedding_dim=4").value()), text);
}

}  // namespace
}  // namespace opbench
