#include <gmock/gmock.h>

#include "graph_runner.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Value inline_branch_floats(const std::string& name) {
  return {name, DataType::kFloat32, true, {{4, ""}}};
}

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
  graph.inputs = {inline_branch_floats("x")};
  const auto value = static_cast<uint8_t>(condition);
  graph.constants["c"] = Tensor::of<uint8_t>(DataType::kBool, {}, {&value, 1});
  graph.nodes = {node, {"z", "Neg", "", {"y"}, {"z"}, {}}};
  graph.outputs = {{"z", DataType::kFloat32, false, {}}};
  return model;
}

std::vector<std::string> inline_branch_types_of(const Graph& graph) {
  std::vector<std::string> types;
  for (const Node& node : graph.nodes) types.push_back(node.type);
  return types;
}

TEST(InlineBranch, PutsTheTakenBranchInThePlaceOfTheNode) {
  Model model = branching(true);
  const auto inferred = infer_types(model);
  ASSERT_TRUE(inferred) << to_text(inferred.error());
  EXPECT_THAT(inline_branch_types_of(model.graph), ElementsAre("Relu", "Add", "Neg"));
  EXPECT_EQ(model.graph.nodes[0].name, "pick/r");
  EXPECT_EQ(model.graph.nodes[1].outputs, std::vector<std::string>{"y"});
  EXPECT_TRUE(model.graph.constants.contains("pick/w"));
  EXPECT_EQ(model.graph.types.at("z"), (TensorType{DataType::kFloat32, {4}}));
}

TEST(InlineBranch, CopiesAValueFromAround) {
  Model model = branching(false);
  const auto inferred = infer_types(model);
  ASSERT_TRUE(inferred) << to_text(inferred.error());
  EXPECT_THAT(inline_branch_types_of(model.graph), ElementsAre("Identity", "Neg"));
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
  EXPECT_THAT(inline_branch_types_of(model.graph), ElementsAre("Abs", "Relu", "Add", "Mul", "Neg"));
  EXPECT_EQ(model.graph.nodes[1].name, "outer/inner/r");
}

/// The condition is an input.
Model decided_by_the_run(const Shape& condition) {
  Model model = branching(true);
  model.graph.constants.clear();
  Value c{.name = "c", .data_type = DataType::kBool};
  for (const int64_t extent : condition) c.dimensions.push_back({extent, ""});
  model.graph.inputs.push_back(c);
  return model;
}

TEST(InlineBranch, RunsBothBranchesWhereTheRunDecides) {
  for (const Shape& condition : {Shape{}, Shape{1}}) {
    Model model = decided_by_the_run(condition);
    const auto inferred = infer_types(model);
    ASSERT_TRUE(inferred) << to_text(inferred.error());
    EXPECT_EQ(model.graph.types.at("y"), (TensorType{DataType::kFloat32, {4}}));
    EXPECT_THAT(inline_branch_types_of(model.graph),
                testing::IsSupersetOf({"Relu", "Add", "Where", "Neg"}));
    EXPECT_THAT(model.remarks, ElementsAre(HasSubstr("both of its branches run")));
    const Tensor x = Tensor::of<float>(DataType::kFloat32, {4}, std::vector<float>{-1, 0, 1, 2});
    for (const uint8_t value : {uint8_t{0}, uint8_t{1}}) {
      const Tensor c = Tensor::of<uint8_t>(DataType::kBool, condition, {&value, 1});
      const auto z = run_nodes(model, {{"x", x}, {"c", c}});
      ASSERT_TRUE(z) << to_text(z.error());
      const std::vector<float> taken = {-1, -1, -2, -3};
      const std::vector<float> other = {1, 0, -1, -2};
      EXPECT_THAT(z->as<float>(), testing::ElementsAreArray(value ? taken : other));
    }
  }
}

TEST(InlineBranch, RefusesAChoiceOfTheRunBetweenTypes) {
  Model model = decided_by_the_run({});
  Graph long_one = branch({{"k", "Concat", "", {"x", "x"}, {"k"}, {{"axis", int64_t{0}}}}}, "k");
  model.graph.nodes[0].bodies["else_branch"] = Body(std::move(long_one));
  const auto inferred = infer_types(model);
  ASSERT_FALSE(inferred);
  const std::string text = to_text(inferred.error());
  EXPECT_THAT(text,
              HasSubstr("If \"pick\" makes 4:float32 or 8:float32, by a condition (\"c\") that "
                        "is only known in the run"));
  EXPECT_THAT(text, HasSubstr("give: --input c=NUMBER"));
}

}  // namespace
}  // namespace opbench
