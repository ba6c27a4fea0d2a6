#include <gmock/gmock.h>

#include "base/tensors/tensor_difference.h"
#include "graph_runner.h"
#include "model/passes/evaluate.h"

namespace opbench {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::Not;

/// One recurrent layer, X[steps, batch, in], as a model of its own.
struct SplitRecurrentLayer {
  std::string type = "LSTM";
  std::string direction = "forward";
  int64_t steps = 3;
  int64_t batch = 2;
  int64_t in = 5;
  int64_t units = 7;
  bool has_bias = true;
  bool has_states = true;
  Attributes attributes = {};

  int64_t directions() const { return direction == "bidirectional" ? 2 : 1; }
  int64_t rows() const { return (type == "LSTM" ? 4 : type == "GRU" ? 3 : 1) * units; }
};

Tensor split_recurrent_random_tensor(const Shape& shape, uint64_t seed) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  Random(seed).fill_uniform(tensor.as<float>(), -0.7F, 0.7F);
  return tensor;
}

Value split_recurrent_fixed(const std::string& name, const Shape& shape) {
  Value value{.name = name};
  for (const int64_t extent : shape) value.dimensions.push_back({extent, ""});
  return value;
}

/// `output`: which of Y, Y_h, Y_c the model returns.
Model split_recurrent_model_of(const SplitRecurrentLayer& layer, size_t output) {
  const int64_t d = layer.directions();
  Model model;
  model.opset = 14;
  Graph& graph = model.graph;
  graph.inputs = {split_recurrent_fixed("x", {layer.steps, layer.batch, layer.in})};
  graph.constants["w"] = split_recurrent_random_tensor({d, layer.rows(), layer.in}, 1);
  graph.constants["r"] = split_recurrent_random_tensor({d, layer.rows(), layer.units}, 2);
  Node node{"layer", layer.type, "", {"x", "w", "r", ""}, {"y", "h"}, layer.attributes};
  node.attributes["direction"] = layer.direction;
  if (layer.has_bias) {
    node.inputs[3] = "b";
    graph.constants["b"] = split_recurrent_random_tensor({d, 2 * layer.rows()}, 3);
  }
  const Shape state = {d, layer.batch, layer.units};
  if (layer.has_states) {
    node.inputs.insert(node.inputs.end(), {"", "h0"});
    graph.inputs.push_back(split_recurrent_fixed("h0", state));
  }
  if (layer.type == "LSTM") {
    node.outputs.emplace_back("c");
    if (layer.has_states) {
      node.inputs.emplace_back("c0");
      graph.inputs.push_back(split_recurrent_fixed("c0", state));
    }
  }
  graph.outputs = {{node.outputs.at(output), DataType::kFloat32, false, {}}};
  graph.nodes = {std::move(node)};
  return model;
}

std::vector<std::string> split_recurrent_types_of(const Model& model) {
  std::vector<std::string> types;
  for (const Node& node : model.graph.nodes) types.push_back(node.type);
  return types;
}

/// Whether the nodes in place of the layer compute what it does.
void expect_split_recurrent_same_results(const SplitRecurrentLayer& layer) {
  const size_t outputs = layer.type == "LSTM" ? 3 : 2;
  for (size_t output = 0; output < outputs; ++output) {
    Model model = split_recurrent_model_of(layer, output);
    ASSERT_TRUE(infer_types(model));
    const auto inputs = random_inputs(model.graph, 4);
    const auto before = run_nodes(model, inputs);
    ASSERT_TRUE(before) << to_text(before.error());
    split_recurrent(model);
    const auto inferred = infer_types(model);
    ASSERT_TRUE(inferred) << to_text(inferred.error());
    EXPECT_THAT(split_recurrent_types_of(model), Not(Contains(layer.type)));
    const auto after = run_nodes(model, inputs);
    ASSERT_TRUE(after) << to_text(after.error());
    EXPECT_EQ(after->type, before->type);
    EXPECT_LT(max_relative_error(*after, *before), 2e-6)
        << layer.type << " " << layer.direction << " output " << output;
  }
}

TEST(SplitRecurrent, KeepsTheResultsOfEveryLayerAndDirection) {
  for (const char* type : {"LSTM", "GRU", "RNN"}) {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
      for (const bool has_extras : {true, false}) {
        expect_split_recurrent_same_results({.type = type,
                                             .direction = direction,
                                             .has_bias = has_extras,
                                             .has_states = has_extras});
      }
    }
  }
}

TEST(SplitRecurrent, KeepsTheBiasThatGruResets) {
  for (const bool has_bias : {true, false}) {
    expect_split_recurrent_same_results({.type = "GRU",
                                         .direction = "bidirectional",
                                         .has_bias = has_bias,
                                         .attributes = {{"linear_before_reset", int64_t{1}}}});
  }
}

TEST(SplitRecurrent, GivesEachDirectionItsActivations) {
  expect_split_recurrent_same_results(
      {.type = "RNN",
       .direction = "bidirectional",
       .attributes = {{"activations", std::vector<std::string>{"Relu", "Tanh"}}}});
}

TEST(SplitRecurrent, TakesOneProductForAllSteps) {
  Model model = split_recurrent_model_of({}, 0);
  const auto units = lower(model);
  ASSERT_TRUE(units) << to_text(units.error());
  ASSERT_EQ(units->size(), 2);
  EXPECT_EQ(text_of((*units)[0].workload), "matmul 3x2x5 w:5x28; add w:28");
  EXPECT_EQ(text_of((*units)[1].workload), "lstm_steps 3x2x28 w:28x7 1x2x7 1x2x7 outputs=0,1");
  EXPECT_EQ(model.graph.nodes.back().name, "layer");
  EXPECT_FALSE(model.graph.constants.contains("w"));
}

TEST(SplitRecurrent, MakesNoValuesOfWeightsThatHaveNone) {
  Model model = split_recurrent_model_of({.direction = "bidirectional"}, 0);
  model.graph.constants.at("w").data.clear();
  model.graph.constants.at("r").data.clear();
  ASSERT_TRUE(infer_types(model));
  split_recurrent(model);
  int matrices = 0;
  for (const auto& [name, constant] : model.graph.constants) {
    if (constant.type.shape.size() != 2) continue;
    ++matrices;
    EXPECT_FALSE(has_values(constant)) << name;
  }
  EXPECT_EQ(matrices, 4) << "two for each direction";
  for (const Node& node : model.graph.nodes) EXPECT_NE(node.type, "LSTM");
}

TEST(SplitRecurrent, LeavesWhatTheStepsDoNotCompute) {
  const std::vector<Attributes> others = {{{"clip", 0.5F}},
                                          {{"input_forget", int64_t{1}}},
                                          {{"activation_alpha", std::vector<float>{0.1F}}}};
  for (const Attributes& attributes : others) {
    Model model = split_recurrent_model_of({.attributes = attributes}, 0);
    ASSERT_TRUE(infer_types(model));
    split_recurrent(model);
    EXPECT_THAT(split_recurrent_types_of(model), Each("LSTM"));
  }
}

TEST(SplitRecurrent, LeavesWeightsThatOnlyARunTells) {
  Model model = split_recurrent_model_of({}, 0);
  model.graph.inputs.push_back(split_recurrent_fixed("r", {1, 28, 7}));
  model.graph.constants.erase("r");
  ASSERT_TRUE(infer_types(model));
  split_recurrent(model);
  EXPECT_THAT(split_recurrent_types_of(model), Each("LSTM"));
}

}  // namespace
}  // namespace opbench
