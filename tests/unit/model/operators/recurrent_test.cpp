#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "known_node.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

using Words = std::vector<std::string>;

auto recurrent_near(const Floats& values) { return Pointwise(FloatNear(1e-5F), values); }

std::string recurrent_refusal(const std::string& text) {
  const auto workload = parse_workload(text);
  return workload ? "" : workload.error().message;
}

Tensor lengths(const std::vector<int32_t>& values) {
  return Tensor::of<int32_t>(DataType::kInt32, {static_cast<int64_t>(values.size())}, values);
}

/// Every state is the input plus twice the state before.
Node doubling_rnn(size_t outputs, Attributes attributes = {}) {
  attributes["activations"] = Words{"Affine"};
  return node_with("RNN", 5, outputs, std::move(attributes));
}

std::vector<Tensor> doubling_operands(const Tensor& x, const Tensor& lengths) {
  return {x, real_tensor({1, 1, 1}, {1}), real_tensor({1, 1, 1}, {2}), left_out(), lengths};
}

TEST(Rnn, GivesAllStatesAndTheLast) {
  const Tensor x = real_tensor({3, 1, 1}, {1, 2, 3});
  const auto results = results_of(doubling_rnn(2), doubling_operands(x, left_out())).value();
  EXPECT_EQ(floats_of(results[0]), (Floats{1, 4, 11}));
  EXPECT_EQ(results[0].type.shape, (Shape{3, 1, 1, 1}));
  EXPECT_EQ(floats_of(results[1]), (Floats{11}));
  EXPECT_EQ(results[1].type.shape, (Shape{1, 1, 1}));
}

TEST(Rnn, EndsEverySequenceAtItsLength) {
  const Tensor x = real_tensor({3, 2, 1}, {1, 10, 2, 20, 3, 30});
  auto results = results_of(doubling_rnn(2), doubling_operands(x, lengths({2, 0}))).value();
  EXPECT_EQ(floats_of(results[0]), (Floats{1, 0, 4, 0, 0, 0}));
  EXPECT_EQ(floats_of(results[1]), (Floats{4, 0}));
  const Node reverse = doubling_rnn(2, {{"direction", std::string("reverse")}});
  results = results_of(reverse, doubling_operands(x, lengths({2, 3}))).value();
  EXPECT_EQ(floats_of(results[0]), (Floats{5, 170, 2, 80, 0, 30}));
  EXPECT_EQ(floats_of(results[1]), (Floats{5, 170}));
  EXPECT_THAT(refusal_of(reverse, doubling_operands(x, lengths({2, 4}))),
              HasSubstr("sequence length 4 is outside 3 steps"));
  EXPECT_THAT(refusal_of(reverse, doubling_operands(x, whole_tensor({2}, {2, 3}))),
              HasSubstr("sequence lengths are int64, not int32"));
}

TEST(Rnn, PutsTheBatchFirstInLayout1) {
  const Tensor x = real_tensor({2, 3, 1}, {1, 2, 3, 10, 20, 30});
  const auto results =
      results_of(doubling_rnn(2, {{"layout", int64_t{1}}}), doubling_operands(x, left_out()))
          .value();
  EXPECT_EQ(results[0].type.shape, (Shape{2, 3, 1, 1}));
  EXPECT_EQ(floats_of(results[0]), (Floats{1, 4, 11, 10, 40, 110}));
  EXPECT_EQ(results[1].type.shape, (Shape{2, 1, 1}));
  EXPECT_EQ(floats_of(results[1]), (Floats{11, 110}));
}

TEST(Rnn, TakesActivationsWithTheirScalingValuesInOrder) {
  Node node = node_with("RNN", 3, 1,
                        {{"direction", std::string("bidirectional")},
                         {"activations", Words{"Relu", "LeakyRelu"}},
                         {"activation_alpha", Floats{0.5F}}});
  const std::vector<Tensor> operands{real_tensor({1, 1, 1}, {-2}), real_tensor({2, 1, 1}, {1, 1}),
                                     real_tensor({2, 1, 1}, {0, 0})};
  EXPECT_EQ(floats_of(results_of(node, operands).value()[0]), (Floats{0, -1}));
  node.attributes["clip"] = 0.5F;
  EXPECT_EQ(floats_of(results_of(node, operands).value()[0]), (Floats{0, -0.25F}));
  node.attributes["clip"] = -0.5F;
  EXPECT_THAT(refusal_of(node, operands), HasSubstr("clip -0.5 is below 0"));
  node.attributes.erase("clip");
  node.attributes["activations"] = Words{"Relu"};
  EXPECT_THAT(refusal_of(node, operands), HasSubstr("has 1 activations, needs 2"));
  node.attributes["activations"] = Words{"Relu", "Tann"};
  EXPECT_THAT(refusal_of(node, operands), HasSubstr("unknown activation \"Tann\""));
}

/// One unit whose gates all read the input 1 with weights `w` and the state with `r`.
std::vector<Tensor> one_unit(const Floats& w, const Floats& r, const Floats& bias, float state) {
  const auto rows = static_cast<int64_t>(w.size());
  return {real_tensor({1, 1, 1}, {1}),
          real_tensor({1, rows, 1}, w),
          real_tensor({1, rows, 1}, r),
          real_tensor({1, 2 * rows}, bias),
          left_out(),
          real_tensor({1, 1, 1}, {state})};
}

float recurrent_sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

TEST(Gru, UpdatesItsState) {
  const Floats bias{0.1F, 0, 0.2F, 0, 0, 0.3F};  // of input, then of recurrence
  const auto operands = one_unit({0.5F, -0.5F, 1}, {1, 2, 3}, bias, 0.25F);
  const float z = recurrent_sigmoid(0.5F + 0.1F + 0.25F);
  const float r = recurrent_sigmoid(-0.5F + 0.5F);
  const float outside = std::tanh(1 + 0.2F + 3 * r * 0.25F + 0.3F);
  const auto results = results_of(node_with("GRU", 6, 2), operands).value();
  EXPECT_THAT(floats_of(results[0]), recurrent_near({(1 - z) * outside + z * 0.25F}));
  EXPECT_EQ(floats_of(results[1]), floats_of(results[0]));
  const float inside = std::tanh(1 + 0.2F + r * (3 * 0.25F + 0.3F));
  const Node linear = node_with("GRU", 6, 1, {{"linear_before_reset", int64_t{1}}});
  EXPECT_THAT(floats_of(results_of(linear, operands).value()[0]),
              recurrent_near({(1 - z) * inside + z * 0.25F}));
}

TEST(Gru, RunsInBothDirections) {
  const std::string text = "gru 5x2x3 w:2x12x3 w:2x12x4 direction=bidirectional hidden_size=4";
  EXPECT_EQ(shape(text), (Shape{5, 2, 2, 4}));
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
  EXPECT_EQ(flops_of(parse_workload(text).value()), 80 * (2 * 3 * 7 + 8));
  EXPECT_THAT(recurrent_refusal("gru 5x2x3 w:1x9x3 w:1x12x4"),
              HasSubstr("weights 1x9x3 is not 1x12x3"));
}

TEST(Lstm, SeesItsCellThroughPeepholes) {
  auto operands = one_unit({0.1F, 0.2F, 0.3F, 0.4F}, {0, 0, 0, 0}, Floats(8), 0);
  operands.push_back(real_tensor({1, 1, 1}, {0.5F}));
  operands.push_back(real_tensor({1, 3}, {1, 2, 3}));  // input, output, forget
  const float cell =
      recurrent_sigmoid(0.3F + 3 * 0.5F) * 0.5F + recurrent_sigmoid(0.1F + 0.5F) * std::tanh(0.4F);
  const auto results = results_of(node_with("LSTM", 8, 3), operands).value();
  EXPECT_THAT(floats_of(results[2]), recurrent_near({cell}));
  EXPECT_THAT(floats_of(results[1]),
              recurrent_near({recurrent_sigmoid(0.2F + 2 * cell) * std::tanh(cell)}));
  EXPECT_EQ(floats_of(results[0]), floats_of(results[1]));
}

TEST(Lstm, CouplesItsGates) {
  const auto operands = one_unit({0.1F, 0.2F, 9, 0.4F}, {0, 0, 0, 0}, Floats(8), 0);
  const Node node = node_with("LSTM", 6, 3, {{"input_forget", int64_t{1}}});
  EXPECT_THAT(floats_of(results_of(node, operands).value()[2]),
              recurrent_near({recurrent_sigmoid(0.1F) * std::tanh(0.4F)}));
}

TEST(Lstm, LeavesOutputsAloneThatNobodyReads) {
  Node node = node_with("LSTM", 6, 3);
  node.outputs[0].clear();
  const auto operands = one_unit({0.1F, 0.2F, 9, 0.4F}, {0, 0, 0, 0}, Floats(8), 0);
  const auto results = results_of(node, operands).value();
  EXPECT_EQ(results[0].type.shape, (Shape{1, 1, 1, 1}));
  EXPECT_THAT(floats_of(results[2]), recurrent_near({recurrent_sigmoid(0.1F) * std::tanh(0.4F)}));
}

TEST(Lstm, WritesActivationsThatDifferFromTheDefault) {
  const std::string x = "lstm 5x2x3 w:1x16x3 w:1x16x4";
  const std::string text = x + " activations=Sigmoid,Relu,Tanh clip=3 hidden_size=4";
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
  EXPECT_EQ(text_of(parse_workload(x + " activations=Sigmoid,Tanh,Tanh").value()), x);
  EXPECT_EQ(text_of(parse_workload(x + " layout=1").value()), x + " layout=1");
}

TEST(Lstm, RefusesAFourthOutputAndAThirdLayout) {
  EXPECT_THAT(recurrent_refusal("lstm 5x2x3 w:1x16x3 w:1x16x4 layout=2"),
              HasSubstr("layout 2 is not 0 or 1"));
  const auto operands = one_unit({0, 0, 0, 0}, {0, 0, 0, 0}, Floats(8), 0);
  EXPECT_THAT(refusal_of(node_with("LSTM", 6, 4), operands), HasSubstr("output 3 (\"y3\")"));
  EXPECT_THAT(refusal_of(node_with("GRU", 6, 3), one_unit({0, 0, 0}, {0, 0, 0}, Floats(6), 0)),
              HasSubstr("output 2 (\"y2\")"));
}

TEST(Recurrent, BearsSequencesOfNoSteps) {
  const auto operands = doubling_operands(real_tensor({0, 1, 1}, {}), left_out());
  const auto results = results_of(doubling_rnn(2), operands).value();
  EXPECT_TRUE(floats_of(results[0]).empty());
  EXPECT_EQ(floats_of(results[1]), (Floats{0}));
}

}  // namespace
}  // namespace opbench
