#include "model/passes/unknown_operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/passes/passes.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Value unknown_operators_value(const std::string& name, const Shape& shape) {
  Value result{name, DataType::kFloat32, true, {}};
  for (const int64_t extent : shape) result.dimensions.push_back({extent, ""});
  return result;
}

Node unknown_operators_node(const std::string& type, const std::string& input,
                            const std::string& output) {
  return {output, type, "", {input}, {output}, {}};
}

Model unknown_operators_model_of(std::vector<Node> nodes) {
  Model model;
  model.opset = 13;
  model.other_opsets["com.acme"] = 3;
  model.graph.nodes = std::move(nodes);
  model.graph.inputs = {unknown_operators_value("x", {2, 2})};
  model.graph.outputs = {unknown_operators_value("y", {2, 2})};
  return model;
}

TEST(UnknownOperators, AreCountedWithTheirFirstNode) {
  Node blur = unknown_operators_node("Blur", "c", "y");
  blur.domain = "com.acme";
  Model model = unknown_operators_model_of({unknown_operators_node("Relu", "x", "a"),
                                            unknown_operators_node("Bernoulli", "a", "b"), blur,
                                            unknown_operators_node("Bernoulli", "b", "c")});
  EXPECT_THAT(unknown_operators(model),
              ElementsAre(UnknownOperator{"Bernoulli", 13, 2, "b", ""},
                          UnknownOperator{"com.acme.Blur", 3, 1, "y", ""}));
  EXPECT_EQ(to_text(infer_types(model).error()),
            "error: 3 of 4 nodes have an operator that the halide engine does not know\n"
            "  operator: Bernoulli, opset 13: 2 nodes, first \"b\"\n"
            "  operator: com.acme.Blur, opset 3: node \"y\"\n");
}

TEST(UnknownOperators, TakeOneLineEachAndAtMostTwenty) {
  std::vector<Node> nodes;
  for (int i = 0; i < 120; ++i)
    nodes.push_back(unknown_operators_node("Bernoulli", "x", "d" + std::to_string(i)));
  EXPECT_EQ(require_known_operators(unknown_operators_model_of(nodes)).error().facts.size(), 1U);
  for (int i = 0; i < 30; ++i) {
    nodes.push_back(unknown_operators_node("Op" + std::to_string(i), "x", "o" + std::to_string(i)));
  }
  const Error error = require_known_operators(unknown_operators_model_of(nodes)).error();
  ASSERT_EQ(error.facts.size(), 21U);
  EXPECT_EQ(error.facts.front().text, "Bernoulli, opset 13: 120 nodes, first \"d0\"");
  EXPECT_EQ(error.facts.back(), (Fact{"and", "11 more operators, 11 nodes"}));
}

TEST(InferKnownTypes, GoesAsFarAsOperatorsAreKnown) {
  Model model = unknown_operators_model_of(
      {unknown_operators_node("Relu", "x", "a"), unknown_operators_node("Bernoulli", "a", "b"),
       unknown_operators_node("Relu", "b", "c"), unknown_operators_node("Blur", "a", "d"),
       unknown_operators_node("Relu", "d", "y")});
  model.graph.types["d"] = {DataType::kFloat32, {3}};
  const auto untyped = infer_known_types(model);
  ASSERT_TRUE(untyped) << to_text(untyped.error());
  EXPECT_THAT(*untyped, ElementsAre(1, 2, 3));
  EXPECT_EQ(model.graph.types.at("a").shape, (Shape{2, 2}));
  EXPECT_FALSE(model.graph.types.contains("c"));
  EXPECT_EQ(model.graph.types.at("y").shape, (Shape{3})) << "from what the model states of d";
}

TEST(SetAsideOpaque, LeavesAGraphThatCanBeLowered) {
  Model model = unknown_operators_model_of(
      {unknown_operators_node("Relu", "x", "a"), unknown_operators_node("Bernoulli", "a", "b"),
       unknown_operators_node("Relu", "b", "c"), unknown_operators_node("Blur", "a", "d"),
       unknown_operators_node("Tanh", "d", "e"), unknown_operators_node("Bernoulli", "e", "y")});
  model.graph.types["d"] = {DataType::kFloat32, {3}};
  const auto opaque = set_aside_opaque(model);
  ASSERT_TRUE(opaque) << to_text(opaque.error());
  ASSERT_EQ(opaque->size(), 4U);
  EXPECT_EQ((*opaque)[0].node.name, "b");
  EXPECT_EQ((*opaque)[0].inputs[0].shape, (Shape{2, 2}));
  EXPECT_EQ((*opaque)[0].outputs[0].data_type, DataType::kUndefined);
  EXPECT_EQ((*opaque)[2].outputs[0].shape, (Shape{3}));
  const auto units = lower(model);
  ASSERT_TRUE(units) << to_text(units.error());
  std::vector<std::string> texts;
  for (const Unit& unit : *units) texts.push_back(text_of(unit.workload));
  EXPECT_THAT(texts, ElementsAre("relu 2x2", "tanh 3"));
}

TEST(SetAsideOpaque, StillRefusesOperandsThatDoNotFit) {
  Model model = unknown_operators_model_of(
      {unknown_operators_node("Bernoulli", "x", "a"), unknown_operators_node("Concat", "x", "y")});
  model.graph.nodes[1].attributes["axis"] = int64_t{7};
  const auto opaque = set_aside_opaque(model);
  ASSERT_FALSE(opaque);
  EXPECT_THAT(to_text(opaque.error()), HasSubstr("axis 7 is outside rank 2"));
}

}  // namespace
}  // namespace opbench
