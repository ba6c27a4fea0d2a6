#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "graph_runner.h"
#include "model/passes/passes.h"

// Models that `./dev fuzz onnx` found: each ended the process.

namespace opbench {
namespace {

using ::testing::HasSubstr;

Value damaged_models_value_of(const std::string& name, const Shape& shape) {
  Value value{.name = name, .data_type = DataType::kFloat32};
  for (const int64_t extent : shape) value.dimensions.push_back({extent, ""});
  return value;
}

Model damaged_models_model_of(int64_t opset, std::vector<Value> inputs, std::vector<Node> nodes) {
  Model model;
  model.opset = opset;
  model.graph.inputs = std::move(inputs);
  model.graph.outputs = {{nodes.back().outputs.back(), DataType::kFloat32, false, {}}};
  model.graph.nodes = std::move(nodes);
  return model;
}

Tensor integers(const std::vector<int64_t>& values) {
  return Tensor::of<int64_t>(DataType::kInt64, {std::ssize(values)}, values);
}

std::string damaged_models_refusal(Model model) {
  const auto inferred = infer_types(model);
  return inferred ? "" : to_text(inferred.error());
}

TEST(DamagedModels, HaveWeightsOfRecurrenceWithoutAWidth) {
  Model model = damaged_models_model_of(14, {damaged_models_value_of("x", {1, 3, 3})},
                                        {{"rnn", "RNN", "", {"x", "w", "r"}, {"", "h"}, {}}});
  Tensor weights = Tensor::empty({DataType::kFloat32, {1, 5, 3}});
  std::ranges::fill(weights.as<float>(), 0.1F);
  model.graph.constants["w"] = std::move(weights);
  model.graph.constants["r"] = Tensor{{DataType::kFloat8, {1, 5, 5}}, {}};
  EXPECT_THAT(damaged_models_refusal(std::move(model)),
              HasSubstr("recurrence weights are float8, not float32"));
}

TEST(DamagedModels, HaveAnAxisBelowTheRank) {
  EXPECT_THAT(damaged_models_refusal(damaged_models_model_of(
                  11, {damaged_models_value_of("x", {2, 3})},
                  {{"s", "Softmax", "", {"x"}, {"y"}, {{"axis", int64_t{-3}}}}})),
              HasSubstr("axis -3 is outside rank 2"));
}

TEST(DamagedModels, HaveMoreGroupsThanChannels) {
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  for (const char* type : {"Conv", "ConvTranspose"}) {
    EXPECT_THAT(damaged_models_refusal(damaged_models_model_of(
                    11,
                    {damaged_models_value_of("x", {1, 0, 5, 5}),
                     damaged_models_value_of("w", {0, 4, 3, 3})},
                    {{"c", type, "", {"x", "w"}, {"y"}, {{"group", kMany}}}})),
                HasSubstr("groups do not fit"));
  }
  EXPECT_THAT(
      damaged_models_refusal(damaged_models_model_of(
          21, {damaged_models_value_of("x", {1, 0}), damaged_models_value_of("s", {0})},
          {{"n", "GroupNormalization", "", {"x", "s", "s"}, {"y"}, {{"num_groups", kMany}}}})),
      HasSubstr("do not divide"));
}

TEST(DamagedModels, HaveConvolutionsWithoutFilters) {
  Model model = damaged_models_model_of(
      11, {damaged_models_value_of("x", {1, 1, 5, 5}), damaged_models_value_of("w", {0, 1, 3, 3})},
      {{"c", "Conv", "", {"x", "w"}, {"y"}, {}}});
  ASSERT_TRUE(infer_types(model));
  const auto y = run_nodes(model, {{"x", Tensor::empty({DataType::kFloat32, {1, 1, 5, 5}})},
                                   {"w", Tensor::empty({DataType::kFloat32, {0, 1, 3, 3}})}});
  ASSERT_TRUE(y) << to_text(y.error());
  EXPECT_EQ(y->type.shape, (Shape{1, 0, 3, 3}));
}

TEST(DamagedModels, HaveIntegersThatWrapAround) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  for (const char* type : {"Add", "Sub", "Mul", "Div"}) {
    Model model = damaged_models_model_of(14, {}, {{"n", type, "", {"a", "b"}, {"y"}, {}}});
    model.graph.constants["a"] = integers({kMost, -kMost - 1});
    model.graph.constants["b"] = integers({kMost, -1});
    ASSERT_TRUE(infer_types(model));
    const auto y = run_nodes(model, {});
    ASSERT_TRUE(y) << to_text(y.error());
    const std::map<std::string, std::vector<int64_t>> expected = {{"Add", {-2, kMost}},
                                                                  {"Sub", {0, -kMost}},
                                                                  {"Mul", {1, -kMost - 1}},
                                                                  {"Div", {1, -kMost - 1}}};
    EXPECT_THAT(y->as<int64_t>(), testing::ElementsAreArray(expected.at(type)));
  }
}

TEST(DamagedModels, PoolPlanesWithoutElements) {
  Model model = damaged_models_model_of(14, {damaged_models_value_of("x", {1, 2, 0, 3})},
                                        {{"p", "GlobalMaxPool", "", {"x"}, {"y"}, {}}});
  ASSERT_TRUE(infer_types(model));
  const auto y = run_nodes(model, {{"x", Tensor::empty({DataType::kFloat32, {1, 2, 0, 3}})}});
  ASSERT_TRUE(y) << to_text(y.error());
  EXPECT_THAT(y->as<float>(), testing::Each(-std::numeric_limits<float>::infinity()));
}

TEST(DamagedModels, AskForNegativeExtents) {
  Model model = damaged_models_model_of(14, {damaged_models_value_of("x", {2, 5})},
                                        {{"r", "Reshape", "", {"x", "to"}, {"y"}, {}}});
  model.graph.constants["to"] = integers({5, std::numeric_limits<int64_t>::min()});
  EXPECT_THAT(damaged_models_refusal(std::move(model)), HasSubstr("does not take shape"));
}

TEST(DamagedModels, LeaveOutResultsOfASplit) {
  Model model = damaged_models_model_of(
      14, {damaged_models_value_of("x", {5, 2})},
      {{"s", "Split", "", {"x", "parts"}, {"a", "", "y"}, {{"axis", int64_t{0}}}}});
  model.graph.constants["parts"] = integers({1, 3, 1});
  ASSERT_TRUE(infer_types(model));
  const auto units = lower(model, Fusion::kOn);
  ASSERT_TRUE(units) << to_text(units.error());
  const Tensor x = Tensor::of<float>(DataType::kFloat32, {5, 2},
                                     std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto y = run_nodes(model, {{"x", x}});
  ASSERT_TRUE(y) << to_text(y.error());
  EXPECT_THAT(y->as<float>(), testing::ElementsAre(8, 9));
}

}  // namespace
}  // namespace opbench
