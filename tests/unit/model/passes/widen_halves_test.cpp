#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/tensors/half.h"
#include "base/tensors/tensor_difference.h"
#include "graph_runner.h"

namespace opbench {
namespace {

Value widen_halves_value_of(const std::string& name, DataType type, const Shape& shape) {
  Value value{.name = name, .data_type = type};
  for (const int64_t extent : shape) value.dimensions.push_back({extent, ""});
  return value;
}

Tensor halves(const Shape& shape, uint64_t seed) {
  Tensor floats = Tensor::empty({DataType::kFloat32, shape});
  Random(seed).fill_normal(floats.as<float>(), 1.0F);
  Tensor tensor = Tensor::empty({DataType::kFloat16, shape});
  std::ranges::transform(floats.as<float>(), tensor.as<Float16>().begin(),
                         [](float value) { return Float16(value); });
  return tensor;
}

/// x -> MatMul -> Relu (an output) -> Add -> y, all binary16.
Model two_outputs() {
  Model model;
  model.opset = 17;
  Graph& graph = model.graph;
  graph.inputs = {widen_halves_value_of("x", DataType::kFloat16, {3, 5})};
  graph.constants["w"] = halves({5, 4}, 1);
  graph.constants["b"] = halves({4}, 2);
  graph.nodes = {{"product", "MatMul", "", {"x", "w"}, {"p"}, {}},
                 {"relu", "Relu", "", {"p"}, {"r"}, {}},
                 {"sum", "Add", "", {"r", "b"}, {"y"}, {}}};
  graph.outputs = {widen_halves_value_of("y", DataType::kFloat16, {3, 4}),
                   widen_halves_value_of("r", DataType::kFloat16, {3, 4})};
  return model;
}

bool has_halves(const Model& model, const std::string& type) {
  return std::ranges::any_of(model.graph.nodes, [&](const Node& node) {
    return node.type == type && std::ranges::any_of(node.inputs, [&](const std::string& name) {
             return model.graph.types.at(name).data_type == DataType::kFloat16;
           });
  });
}

TEST(WidenHalves, ComputesInFloat32) {
  Model model = two_outputs();
  ASSERT_TRUE(infer_types(model));
  std::map<std::string, Tensor> inputs{{"x", halves({3, 5}, 3)}};
  for (const std::string output : {"y", "r"}) {
    Model wide = model;
    wide.graph.outputs = {*std::ranges::find(wide.graph.outputs, output, &Value::name)};
    const auto before = run_nodes(wide, inputs);
    ASSERT_TRUE(before) << to_text(before.error());
    ASSERT_TRUE(widen_halves(wide));
    const auto inferred = infer_types(wide);
    ASSERT_TRUE(inferred) << to_text(inferred.error());
    for (const char* type : {"MatMul", "Relu", "Add"}) EXPECT_FALSE(has_halves(wide, type)) << type;
    const auto after = run_nodes(wide, inputs);
    ASSERT_TRUE(after) << to_text(after.error());
    EXPECT_EQ(after->type, before->type);
    EXPECT_LT(max_relative_error(*after, *before), 2e-3);
  }
}

TEST(WidenHalves, KeepsTheTypesOfInputsAndOutputs) {
  Model model = two_outputs();
  ASSERT_TRUE(infer_types(model));
  ASSERT_TRUE(widen_halves(model));
  ASSERT_TRUE(infer_types(model));
  for (const char* name : {"x", "y", "r"})
    EXPECT_EQ(model.graph.types.at(name).data_type, DataType::kFloat16) << name;
  EXPECT_EQ(model.graph.types.at("p").data_type, DataType::kFloat32);
  EXPECT_EQ(model.graph.constants.at("w").type.data_type, DataType::kFloat32);
}

TEST(WidenHalves, TakesCastsToHalvesForNothing) {
  Model model;
  model.opset = 17;
  Graph& graph = model.graph;
  graph.inputs = {widen_halves_value_of("x", DataType::kFloat32, {3, 5})};
  graph.nodes = {{"narrow", "Cast", "", {"x"}, {"h"}, {{"to", int64_t{10}}}},
                 {"relu", "Relu", "", {"h"}, {"r"}, {}},
                 {"wide", "Cast", "", {"r"}, {"y"}, {{"to", int64_t{1}}}}};
  graph.outputs = {widen_halves_value_of("y", DataType::kFloat32, {3, 5})};
  const auto units = lower(model);
  ASSERT_TRUE(units) << to_text(units.error());
  ASSERT_EQ(units->size(), 1U);
  EXPECT_EQ(text_of(units->front().workload), "relu 3x5");
}

TEST(WidenHalves, LeavesConstantsThatAreOutputs) {
  Model model = two_outputs();
  model.graph.outputs.push_back(widen_halves_value_of("b", DataType::kFloat16, {4}));
  ASSERT_TRUE(infer_types(model));
  ASSERT_TRUE(widen_halves(model));
  const auto inferred = infer_types(model);
  ASSERT_TRUE(inferred) << to_text(inferred.error());
  EXPECT_EQ(model.graph.types.at("b").data_type, DataType::kFloat16);
}

TEST(WidenHalves, DoesNothingWithoutHalves) {
  Model model;
  model.opset = 17;
  model.graph.inputs = {widen_halves_value_of("x", DataType::kFloat32, {3})};
  model.graph.nodes = {{"relu", "Relu", "", {"x"}, {"y"}, {}}};
  model.graph.outputs = {widen_halves_value_of("y", DataType::kFloat32, {3})};
  ASSERT_TRUE(infer_types(model));
  const Model before = model;
  EXPECT_FALSE(widen_halves(model));
  EXPECT_EQ(model, before);
}

}  // namespace
}  // namespace opbench
