#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

float recurrent_steps_sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

TEST(RecurrentSteps, FollowsTheEquationOfRnn) {
  // H = tanh(sum + 0.5 H), from H = 0.25.
  const float first = std::tanh(1 + 0.5F * 0.25F);
  const float second = std::tanh(2 + 0.5F * first);
  EXPECT_THAT(floats("rnn_steps 2x1x1 w:1x1 1x1x1", {1, 2, 0.5F, 0.25F}),
              Pointwise(FloatNear(1e-6F), {first, second}));
}

TEST(RecurrentSteps, GoesBackward) {
  const float last = std::tanh(2 + 0.5F * 0.25F);
  const float first = std::tanh(1 + 0.5F * last);
  EXPECT_THAT(floats("rnn_steps 2x1x1 w:1x1 1x1x1 direction=reverse", {1, 2, 0.5F, 0.25F}),
              Pointwise(FloatNear(1e-6F), {first, last}));
}

TEST(RecurrentSteps, KeepsTheCellOfLstm) {
  // Gates input, output, forget, cell from the sums alone: the recurrent weights are 0.
  const Floats data = {1, 2, 3, 0.5F, 0, 0, 0, 0, 0.1F, 0.7F};
  const float cell =
      recurrent_steps_sigmoid(3) * 0.7F + recurrent_steps_sigmoid(1) * std::tanh(0.5F);
  EXPECT_THAT(floats("lstm_steps 1x1x4 w:4x1 1x1x1 1x1x1", data),
              Pointwise(FloatNear(1e-6F), {recurrent_steps_sigmoid(2) * std::tanh(cell)}));
  const auto workload = parse_workload("lstm_steps 1x1x4 w:4x1 1x1x1 1x1x1 outputs=0,1");
  ASSERT_TRUE(workload);
  EXPECT_EQ(workload->graph.types.at("y1").shape, (Shape{1, 1, 1}));
}

TEST(RecurrentSteps, AddsTheBiasOfGruBeforeItResets) {
  // Gates update, reset, hidden; one weight of each for H = 0.5, and a bias of 2.
  const Floats data = {1, -1, 0.5F, 0.2F, 0.4F, 0.6F, 0.5F, 2};
  const float update = recurrent_steps_sigmoid(1 + 0.2F * 0.5F);
  const float reset = recurrent_steps_sigmoid(-1 + 0.4F * 0.5F);
  const float fresh = std::tanh(0.5F + reset * (0.6F * 0.5F + 2));
  EXPECT_THAT(floats("gru_steps 1x1x3 w:3x1 1x1x1 w:1 linear_before_reset=1", data),
              Pointwise(FloatNear(1e-6F), {(1 - update) * fresh + update * 0.5F}));
}

TEST(RecurrentSteps, KeepsSequencesApart) {
  const Floats one = floats("rnn_steps 2x1x2 w:2x2 1x1x2", {1, 2, 3, 4, .1F, .2F, .3F, .4F, 5, 6});
  const Floats two = floats("rnn_steps 2x2x2 w:2x2 1x2x2",
                            {9, 9, 1, 2, 9, 9, 3, 4, .1F, .2F, .3F, .4F, 9, 9, 5, 6});
  EXPECT_THAT(two, ElementsAre(::testing::_, ::testing::_, one[0], one[1], ::testing::_,
                               ::testing::_, one[2], one[3]));
}

TEST(RecurrentSteps, CountsOneProductAState) {
  EXPECT_EQ(flops_of(parse_workload("rnn_steps 3x2x5 w:5x5 1x2x5").value()), 3 * 2 * 5 * (10 + 1));
}

TEST(RecurrentSteps, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(text_of(parse_workload("rnn_steps 2x1x4 w:4x4 1x1x4 direction=forward "
                                   "activations=Tanh")
                        .value()),
            "rnn_steps 2x1x4 w:4x4 1x1x4");
  const std::string text = "rnn_steps 2x1x4 w:4x4 1x1x4 activations=Relu direction=reverse";
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
}

TEST(RecurrentSteps, RefusesOperandsThatDoNotFit) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"rnn_steps 2x1x5 w:4x4 1x1x4", "operand 0 is 2x1x5, not 2x1x4"},
      {"rnn_steps 2x1x4 w:4x4 1x2x4", "operand 2 is 1x2x4, not 1x1x4"},
      {"lstm_steps 2x1x16 w:16x4 1x1x4", "operand 3 is missing"},
      {"rnn_steps 2x1x4 w:4x4 1x1x4 direction=both", "direction"},
      {"rnn_steps 2x1x4 w:4x4 1x1x4 activations=Tan", "Tan"}};
  for (const auto& [text, message] : cases) {
    const auto workload = parse_workload(text);
    ASSERT_FALSE(workload) << text;
    EXPECT_THAT(to_text(workload.error()), HasSubstr(message));
  }
}

}  // namespace
}  // namespace opbench
