#include "model/passes/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/tensors/tensor_difference.h"
#include "graph_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using PassesStrings = std::vector<std::string>;

Value passes_value(const std::string& name, const std::vector<Dimension>& dimensions) {
  return {name, DataType::kFloat32, true, dimensions};
}

Value passes_fixed(const std::string& name, const Shape& shape) {
  Value result{name, DataType::kFloat32, true, {}};
  for (const int64_t extent : shape) result.dimensions.push_back({extent, ""});
  return result;
}

Node passes_node(const std::string& type, PassesStrings inputs, PassesStrings outputs,
                 Attributes attributes = {}) {
  return {outputs[0], type, "", std::move(inputs), std::move(outputs), std::move(attributes)};
}

Tensor passes_random_tensor(const Shape& shape, uint64_t seed) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  Random(seed).fill_uniform(tensor.as<float>(), 0.5F, 1.5F);
  return tensor;
}

Model passes_model_of(std::vector<Node> nodes, std::vector<Value> inputs,
                      const PassesStrings& outputs) {
  Model model;
  model.opset = 13;
  model.graph.nodes = std::move(nodes);
  model.graph.inputs = std::move(inputs);
  for (const std::string& output : outputs) model.graph.outputs.push_back(passes_value(output, {}));
  return model;
}

PassesStrings texts(const Model& model) {
  PassesStrings result;
  for (const Unit& unit : fuse(model)) result.push_back(text_of(unit.workload));
  return result;
}

PassesStrings fused(Model model) {
  const auto inferred = infer_types(model);
  EXPECT_TRUE(inferred) << to_text(inferred.error());
  return texts(model);
}

TEST(InferTypes, ComputesTheShapesThatNodesNeed) {
  // y = reshape(x, concat(shape(x)[0:1], -1))
  Model model = passes_model_of(
      {passes_node("Shape", {"x"}, {"s"}), passes_node("Gather", {"s", "zero"}, {"n"}),
       passes_node("Unsqueeze", {"n"}, {"u"}, {{"axes", std::vector<int64_t>{0}}}),
       passes_node("Concat", {"u", "rest"}, {"to"}, {{"axis", int64_t{0}}}),
       passes_node("Reshape", {"x", "to"}, {"y"})},
      {passes_fixed("x", {2, 3, 4})}, {"y"});
  const int64_t zero = 0;
  const int64_t rest = -1;
  model.graph.constants["zero"] = Tensor::of<int64_t>(DataType::kInt64, {}, std::span(&zero, 1));
  model.graph.constants["rest"] = Tensor::of<int64_t>(DataType::kInt64, {1}, std::span(&rest, 1));
  ASSERT_TRUE(infer_types(model));
  EXPECT_EQ(model.graph.types.at("y").shape, (Shape{2, 12}));
  ASSERT_TRUE(fold_constants(model));
  ASSERT_EQ(model.graph.nodes.size(), 1U);
  EXPECT_EQ(integers(model.graph.constants.at("to")), (std::vector<int64_t>{2, -1}));
}

// An LSTM as exporters write it: all three results have names.
TEST(DropUnreadResults, LeavesThoseThatAreRead) {
  const Node lstm =
      passes_node("LSTM", {"x", "w", "r"}, {"y", "hidden", "cell"}, {{"hidden_size", int64_t{4}}});
  const std::vector<Value> inputs = {passes_fixed("x", {5, 2, 3}), passes_fixed("w", {1, 16, 3}),
                                     passes_fixed("r", {1, 16, 4})};
  Model model = passes_model_of({lstm}, inputs, {"y"});
  drop_unread_results(model);
  EXPECT_THAT(model.graph.nodes[0].outputs, ElementsAre("y"));
  ASSERT_TRUE(infer_types(model));
  EXPECT_EQ(model.graph.types.at("y").shape, (Shape{5, 1, 2, 4}));
  EXPECT_FALSE(model.graph.types.contains("cell"));
  Model last = passes_model_of({lstm}, inputs, {"cell"});
  drop_unread_results(last);
  EXPECT_THAT(last.graph.nodes[0].outputs, ElementsAre("y", "", "cell"));
  ASSERT_TRUE(infer_types(last));
  EXPECT_EQ(last.graph.types.at("cell").shape, (Shape{1, 2, 4}));
}

TEST(DropUnreadResults, NamesAFirstResultThatHasNoName) {
  const Node top = passes_node("TopK", {"x", "k"}, {"", "indices"});
  Model model = passes_model_of({top}, {passes_fixed("x", {5})}, {"indices"});
  const int64_t two = 2;
  model.graph.constants["k"] = Tensor::of<int64_t>(DataType::kInt64, {1}, std::span(&two, 1));
  drop_unread_results(model);
  ASSERT_EQ(model.graph.nodes[0].outputs.size(), 2U);
  EXPECT_FALSE(model.graph.nodes[0].outputs[0].empty());
  const auto units = lower(model);
  ASSERT_TRUE(units) << to_text(units.error());
  ASSERT_EQ(units->size(), 1U);
  EXPECT_EQ((*units)[0].further_outputs, std::vector<std::string>{"indices"});
  EXPECT_EQ(text_of((*units)[0].workload), "top_k 5 =2,:int64 outputs=0,1");
}

TEST(FoldConstants, RemovesIdentitiesAndWhatNobodyReads) {
  Model model = passes_model_of(
      {passes_node("Relu", {"x"}, {"a"}), passes_node("Identity", {"a"}, {"b"}),
       passes_node("Dropout", {"b"}, {"c", "mask"}), passes_node("Exp", {"x"}, {"unread"}),
       passes_node("Neg", {"c"}, {"d"}), passes_node("Identity", {"d"}, {"y"})},
      {passes_fixed("x", {2})}, {"y"});
  ASSERT_TRUE(infer_types(model));
  ASSERT_TRUE(fold_constants(model));
  ASSERT_EQ(model.graph.nodes.size(), 2U);
  EXPECT_EQ(model.graph.nodes[1].inputs, PassesStrings{"a"});
  EXPECT_EQ(model.graph.nodes[1].outputs, PassesStrings{"y"});
  EXPECT_FALSE(model.graph.types.contains("unread"));
  EXPECT_TRUE(model.graph.types.contains("y"));
}

TEST(FoldConstants, KeepsAnIdentityBetweenAnInputAndAnOutput) {
  Model model =
      passes_model_of({passes_node("Identity", {"x"}, {"y"})}, {passes_fixed("x", {2})}, {"y"});
  ASSERT_TRUE(infer_types(model));
  ASSERT_TRUE(fold_constants(model));
  EXPECT_EQ(model.graph.nodes.size(), 1U);
}

TEST(FoldConstants, MakesOneSliceOfEveryPartOfASplit) {
  Model model = passes_model_of({passes_node("Split", {"x"}, {"a", "b"}, {{"axis", int64_t{-1}}}),
                                 passes_node("Sub", {"b", "a"}, {"y"})},
                                {passes_fixed("x", {1, 4})}, {"y"});
  ASSERT_TRUE(infer_types(model));
  const auto inputs = random_inputs(model.graph, 1);
  const Tensor before = run_nodes(model, inputs).value();
  ASSERT_TRUE(fold_constants(model));
  EXPECT_EQ(texts(model)[0], "slice 1x4 =0,:int64 =2,:int64 =1,:int64");
  EXPECT_EQ(run_units(model, inputs).value(), before);
}

/// x -> `type` with weights -> BatchNormalization -> y, and possibly a second reader.
Model normed(const std::string& type, const Shape& x, const Shape& w, int64_t channels,
             const Attributes& attributes, bool has_reader) {
  Model model =
      passes_model_of({passes_node(type, {"x", "w", "b"}, {"c"}, attributes),
                       passes_node("BatchNormalization", {"c", "s", "o", "m", "v"}, {"y"})},
                      {passes_fixed("x", x)}, {"y"});
  model.graph.constants["w"] = passes_random_tensor(w, 1);
  uint64_t seed = 2;
  for (const char* name : {"b", "s", "o", "m", "v"}) {
    model.graph.constants[name] = passes_random_tensor({channels}, seed++);
  }
  if (has_reader) {
    model.graph.nodes.push_back(passes_node("Relu", {"c"}, {"z"}));
    model.graph.outputs.push_back(passes_value("z", {}));
  }
  return model;
}

void expect_folded(Model model, size_t nodes) {
  ASSERT_TRUE(infer_types(model));
  const auto inputs = random_inputs(model.graph, 9);
  const Tensor before = run_nodes(model, inputs).value();
  ASSERT_TRUE(fold_batch_norms(model));
  EXPECT_EQ(model.graph.nodes.size(), nodes);
  EXPECT_LT(max_relative_error(run_nodes(model, inputs).value(), before), 1e-5);
  EXPECT_LT(max_relative_error(run_units(model, inputs).value(), before), 1e-5);
}

TEST(FoldBatchNorms, PutsTheFactorsIntoTheWeights) {
  expect_folded(normed("Conv", {2, 4, 5, 5}, {6, 2, 3, 3}, 6, {{"group", int64_t{2}}}, false), 1);
  expect_folded(
      normed("ConvTranspose", {2, 4, 5, 5}, {4, 3, 3, 3}, 6, {{"group", int64_t{2}}}, false), 1);
  expect_folded(normed("Gemm", {2, 4}, {4, 3}, 3, {{"beta", 0.5F}}, false), 1);
  expect_folded(normed("Gemm", {2, 4}, {3, 4}, 3, {{"transB", int64_t{1}}, {"alpha", 2.0F}}, false),
                1);
}

TEST(FoldBatchNorms, MultipliesAndAddsWhereTheResultHasOtherReaders) {
  expect_folded(normed("Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, 6, {}, true), 4);
}

TEST(FoldBatchNorms, MultipliesAndAddsWhereNoConvolutionComesBefore) {
  Model model =
      passes_model_of({passes_node("BatchNormalization", {"x", "s", "o", "m", "v"}, {"a"}),
                       passes_node("Relu", {"a"}, {"y"})},
                      {passes_fixed("x", {1, 3, 2, 2})}, {"y"});
  uint64_t seed = 2;
  for (const char* name : {"s", "o", "m", "v"}) {
    model.graph.constants[name] = passes_random_tensor({3}, seed++);
  }
  expect_folded(model, 3);
  ASSERT_TRUE(infer_types(model));
  ASSERT_TRUE(fold_batch_norms(model));
  EXPECT_THAT(texts(model), ElementsAre("mul 1x3x2x2 w:1x3x1x1; add w:1x3x1x1; relu"));
}

Model residual() {
  Model model = passes_model_of(
      {passes_node("Conv", {"x", "w1"}, {"a"}), passes_node("Conv", {"x", "w2"}, {"b"}),
       passes_node("Add", {"a", "b"}, {"s"}), passes_node("Relu", {"s"}, {"y"})},
      {passes_fixed("x", {1, 2, 4, 4})}, {"y"});
  model.graph.constants["w1"] = passes_random_tensor({3, 2, 1, 1}, 1);
  model.graph.constants["w2"] = passes_random_tensor({3, 2, 1, 1}, 2);
  return model;
}

TEST(Fuse, JoinsAResidualToTheChainThatComesLast) {
  Model model = residual();
  EXPECT_THAT(fused(model), ElementsAre("conv2d 1x2x4x4 w:3x2x1x1",
                                        "conv2d 1x2x4x4 w:3x2x1x1; add 1x3x4x4; relu"));
  ASSERT_TRUE(infer_types(model));
  const std::vector<Unit> units = fuse(model);
  EXPECT_EQ(units[1].operands, (PassesStrings{"x", "w2", "a"}));
  EXPECT_EQ(units[1].output, "y");
  EXPECT_EQ(units[1].nodes, (std::vector<size_t>{1, 2, 3}));
}

TEST(Fuse, PutsAUnitWhereItsLastNodeStands) {
  // The chain of "a" waits for "b", which is made after it by another unit.
  Model model = residual();
  model.graph.nodes[1] = passes_node("Softmax", {"e"}, {"b"});
  model.graph.nodes.insert(model.graph.nodes.begin() + 1, passes_node("Conv", {"x", "w2"}, {"e"}));
  EXPECT_THAT(fused(model), ElementsAre("conv2d 1x2x4x4 w:3x2x1x1", "softmax 1x3x4x4",
                                        "conv2d 1x2x4x4 w:3x2x1x1; add 1x3x4x4; relu"));
}

TEST(Fuse, LeavesResultsAloneThatOthersSee) {
  Model model = residual();
  model.graph.outputs.push_back(passes_value("s", {}));
  EXPECT_THAT(fused(model), ElementsAre("conv2d 1x2x4x4 w:3x2x1x1",
                                        "conv2d 1x2x4x4 w:3x2x1x1; add 1x3x4x4", "relu 1x3x4x4"));
  model.graph.outputs.pop_back();
  model.graph.nodes.push_back(passes_node("Exp", {"b"}, {"z"}));
  model.graph.outputs.push_back(passes_value("z", {}));
  EXPECT_THAT(fused(model),
              ElementsAre("conv2d 1x2x4x4 w:3x2x1x1", "conv2d 1x2x4x4 w:3x2x1x1; add 1x3x4x4; relu",
                          "exp 1x3x4x4"));
}

TEST(Fuse, StopsWhereAResultGrows) {
  Model model =
      passes_model_of({passes_node("Relu", {"x"}, {"a"}), passes_node("Add", {"a", "z"}, {"b"}),
                       passes_node("Mul", {"b", "b"}, {"y"})},
                      {passes_fixed("x", {1, 3}), passes_fixed("z", {2, 3})}, {"y"});
  EXPECT_THAT(fused(model), ElementsAre("relu 1x3", "add 1x3 2x3; mul % %"));
}

TEST(Fuse, MakesNoUnitOfAView) {
  Model model =
      passes_model_of({passes_node("Relu", {"x"}, {"a"}), passes_node("Flatten", {"a"}, {"b"}),
                       passes_node("Exp", {"b"}, {"y"})},
                      {passes_fixed("x", {2, 3, 4})}, {"y"});
  EXPECT_THAT(fused(model), ElementsAre("relu 2x3x4", "exp 2x12"));
}

TEST(RandomizeWeights, ScalesByFanInAndDependsOnSeedAndNameOnly) {
  Model model = normed("Conv", {1, 64, 8, 8}, {64, 64, 3, 3}, 64, {}, false);
  ASSERT_TRUE(infer_types(model));
  Model again = model;
  ASSERT_TRUE(randomize_weights(model, 1));
  again.graph.constants["another"] = passes_random_tensor({4, 4}, 8);
  again.graph.types["another"] = {DataType::kFloat32, {4, 4}};
  ASSERT_TRUE(randomize_weights(again, 1));
  EXPECT_EQ(model.graph.constants.at("w"), again.graph.constants.at("w"));
  ASSERT_TRUE(randomize_weights(again, 2));
  EXPECT_NE(model.graph.constants.at("w"), again.graph.constants.at("w"));
  double squares = 0;
  const auto w = model.graph.constants.at("w").as<float>();
  for (const float v : w) squares += static_cast<double>(v) * v;
  EXPECT_NEAR(squares / static_cast<double>(w.size()), 2.0 / (64 * 9), 2e-4);
  for (const float v : model.graph.constants.at("v").as<float>()) {
    EXPECT_GE(v, 0.5F);
    EXPECT_LE(v, 1.5F);
  }
  const auto s = model.graph.constants.at("s").as<float>();
  EXPECT_NEAR(std::accumulate(s.begin(), s.end(), 0.0) / 64, 1.0, 0.06);
}

TEST(RandomizeWeights, TakesInWhatConstantOfShapeMakes) {
  Model model = passes_model_of(
      {passes_node("ConstantOfShape", {"ws"}, {"w"}), passes_node("MatMul", {"x", "w"}, {"y"})},
      {passes_fixed("x", {2, 3})}, {"y"});
  model.graph.constants["ws"] =
      Tensor::of<int64_t>(DataType::kInt64, {2}, std::vector<int64_t>{3, 4});
  ASSERT_TRUE(infer_types(model));
  ASSERT_TRUE(randomize_weights(model, 1));
  ASSERT_EQ(model.graph.nodes.size(), 1U);
  EXPECT_NE(model.graph.constants.at("w").as<float>()[0], 0);
  EXPECT_EQ(texts(model), PassesStrings{"matmul 2x3 w:3x4"});
}

}  // namespace
}  // namespace opbench
