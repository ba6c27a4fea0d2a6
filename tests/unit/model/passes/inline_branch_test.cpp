#include <gmock/gmock.h>

#include "model/passes/passes.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Value floats(const std::string& name) { return {name, DataType::kFloat32, true, {{4, ""}}}; }

Graph branch(std::vector<Node> nodes, const std::string& output) {
  Graph graph;
  graph.nodes = std::move(nodes);
  graph.outputs = {{output, DataType::kFloat32, false, {}}};
  return graph;
}

/// y = If(condition) then relu(x) + w else x; then z = neg(y). `w` belongs to the branch.
Model branching(bool condition) {
  Model model;
  model.opset = 17;
  Graph then =
      branch({{"r", "Relu", "", {"x"}, {"r"}, {}}, {"s", "Add", "", {"r", "w"}, {"s"}, {}}}, "s");
  const std::vector<float> ones(4, 1.0F);
  then.constants["w"] = Tensor::of<float>(DataType::kFloat32, {4}, ones);
  Node node{"pick", "If", "", {"c"}, {"y"}, {}, true};
  node.bodies["then_branch"] = Body(std::move(then));
  node.bodies["else_branch"] = Body(branch({}, "x"));
  Graph& graph = model.graph;
  graph.inputs = {floats("x")};
  const auto value = static_cast<uint8_t>(condition);
  graph.constants["c"] = Tensor::of<uint8_t>(DataType::kBool, {}, {&value, 1});
  graph.nodes = {node, {"z", "Neg", "", {"y"}, {"z"}, {}}};
  graph.outputs = {{"z", DataType::kFloat32, false, {}}};
  return model;
}

std::vector<std::string> types_of(const Graph& graph) {
  std::vector<std::string> types;
  for (const Node& node : graph.nodes) types.push_back(node.type);
  return types;
}

TEST(InlineBranch, PutsTheTakenBranchInThePlaceOfTheNode) {
  Model model = branching(true);
  const auto inferred = infer_types(model);
  ASSERT_TRUE(inferred) << to_text(inferred.error());
  EXPECT_THAT(types_of(model.graph), ElementsAre("Relu", "Add", "Neg"));
  EXPECT_EQ(model.graph.nodes[0].name, "pick/r");
  EXPECT_EQ(model.graph.nodes[1].outputs, std::vector<std::string>{"y"});
  EXPECT_TRUE(model.graph.constants.contains("pick/w"));
  EXPECT_EQ(model.graph.types.at("z"), (TensorType{DataType::kFloat32, {4}}));
}

TEST(InlineBranch, CopiesAValueFromAround) {
  Model model = branching(false);
  const auto inferred = infer_types(model);
  ASSERT_TRUE(inferred) << to_text(inferred.error());
  EXPECT_THAT(types_of(model.graph), ElementsAre("Identity", "Neg"));
}

TEST(InlineBranch, FollowsBranchesInsideBranches) {
  Model model = branching(true);
  Node inner = model.graph.nodes[0];
  inner.name = "inner";
  inner.outputs = {"t"};
  Node outer{"outer", "If", "", {"c"}, {"y"}, {}, true};
  outer.bodies["then_branch"] = Body(branch(
      {{"a", "Abs", "", {"x"}, {"a"}, {}}, inner, {"m", "Mul", "", {"t", "a"}, {"m"}, {}}}, "m"));
  outer.bodies["else_branch"] = Body(branch({}, "x"));
  model.graph.nodes[0] = outer;
  const auto inferred = infer_types(model);
  ASSERT_TRUE(inferred) << to_text(inferred.error());
  EXPECT_THAT(types_of(model.graph), ElementsAre("Abs", "Relu", "Add", "Mul", "Neg"));
  EXPECT_EQ(model.graph.nodes[1].name, "outer/inner/r");
}

TEST(InlineBranch, LeavesAConditionThatOnlyARunTells) {
  Model model = branching(true);
  model.graph.constants.clear();
  model.graph.inputs.push_back({"c", DataType::kBool, true, {}});
  const auto inferred = infer_types(model);
  ASSERT_FALSE(inferred);
  const std::string text = to_text(inferred.error());
  EXPECT_THAT(text, HasSubstr("If \"pick\" has a condition (\"c\") that is only known in the run"));
  EXPECT_THAT(text, HasSubstr("give: --input c=NUMBER"));
}

}  // namespace
}  // namespace opbench
