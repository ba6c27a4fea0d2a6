#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/tensors/tensor_difference.h"
#include "graph_runner.h"

namespace opbench {
namespace {

using ::testing::Contains;
using ::testing::Not;

/// A workload, and what its integers and booleans are: these numbers again and again.
struct TakeApartLayer {
  std::string text;
  std::vector<int64_t> integers = {1};
};

template <class T>
void fill(Tensor& tensor, const std::vector<int64_t>& numbers) {
  size_t i = 0;
  for (T& value : tensor.as<T>()) value = static_cast<T>(numbers[i++ % numbers.size()]);
}

std::vector<Tensor> inputs_of(const Workload& workload, const TakeApartLayer& layer) {
  std::vector<Tensor> inputs;
  for (const Value& input : workload.graph.inputs) {
    Tensor tensor = Tensor::empty(workload.graph.types.at(input.name));
    if (tensor.type.data_type == DataType::kFloat32)
      Random(7, input.name).fill_normal(tensor.as<float>(), 1.0F);
    else if (tensor.type.data_type == DataType::kInt64)
      fill<int64_t>(tensor, layer.integers);
    else if (tensor.type.data_type == DataType::kInt32)
      fill<int32_t>(tensor, layer.integers);
    else
      fill<uint8_t>(tensor, layer.integers);
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

Model take_apart_model_of(const Workload& workload) {
  Model model;
  model.opset = workload.opset;
  model.graph = workload.graph;
  return model;
}

std::vector<std::string> take_apart_types_of(const Model& model) {
  std::vector<std::string> types;
  for (const Node& node : model.graph.nodes) types.push_back(node.type);
  return types;
}

/// Every output of the model by its nodes' references.
Result<std::map<std::string, Tensor>> results_of(const Model& model,
                                                 std::map<std::string, Tensor> values) {
  for (const Node& node : model.graph.nodes) OPBENCH_CHECK(run_node(model, node, values));
  return values;
}

/// That the parts compute what the workload does, and that `gone` is not among them.
void expect_take_apart_same_results(const TakeApartLayer& layer, const std::string& gone) {
  SCOPED_TRACE(layer.text);
  const auto workload = parse_workload(layer.text);
  ASSERT_TRUE(workload) << to_text(workload.error());
  const std::vector<Tensor> inputs = inputs_of(*workload, layer);
  std::map<std::string, Tensor> values;
  for (size_t i = 0; i < inputs.size(); ++i)
    values.emplace(workload->graph.inputs[i].name, inputs[i]);
  Model model = take_apart_model_of(*workload);
  const auto inferred = infer_types(model);
  ASSERT_TRUE(inferred) << to_text(inferred.error());
  const auto before = results_of(model, values);
  ASSERT_TRUE(before) << to_text(before.error());
  ASSERT_TRUE(take_apart(model));
  const auto again = infer_types(model);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_THAT(take_apart_types_of(model), Not(Contains(gone)));
  const auto after = results_of(model, values);
  ASSERT_TRUE(after) << to_text(after.error());
  for (const Value& output : workload->graph.outputs) {
    const Tensor& wanted = before->at(output.name);
    ASSERT_EQ(after->at(output.name).type, wanted.type);
    EXPECT_LT(max_relative_error(after->at(output.name), wanted), 1e-5) << output.name;
  }
}

TEST(TakeApart, AttentionOfAnyHeads) {
  for (const char* text : {
           "attention 2x3x5x8 2x3x7x8 2x3x7x6",                            // four dimensions
           "attention 2x5x24 2x7x24 2x7x18 kv_num_heads=3 q_num_heads=3",  // flat
           "attention 2x6x5x8 2x2x7x8 2x2x7x4",                            // shared heads
           "attention 2x5x48 2x7x16 2x7x8 kv_num_heads=2 q_num_heads=6",   // both
           "attention 1x4x1x8 1x2x9x8 1x2x9x8",                            // one query
           "attention 1x4x2x8 1x4x9x8 1x4x9x8 scale=0.5 softcap=2",        // few queries
           "attention 1x2x6x8 1x2x6x8 1x2x6x8 is_causal=1",                // later keys
           "attention 1x2x6x8 1x2x4x8 1x2x4x8 is_causal=1",                // fewer keys
       }) {
    expect_take_apart_same_results({text}, "Attention");
  }
}

TEST(TakeApart, AttentionWithAPast) {
  for (const char* text : {
           "attention 1x2x3x8 1x2x3x8 1x2x3x6 _ 1x2x5x8 1x2x5x6 is_causal=1 outputs=0,1,2",
           "attention 2x1x32 2x1x16 2x1x16 _ 2x2x5x8 2x2x5x8 kv_num_heads=2 q_num_heads=4 "
           "outputs=0,1,2",
           "attention 1x2x3x8 1x2x3x8 1x2x3x8 outputs=0,1,2",
           "attention 1x3x16 1x3x16 1x3x16 kv_num_heads=2 q_num_heads=2 outputs=0,1,2",
       }) {
    expect_take_apart_same_results({text}, "Attention");
  }
}

TEST(TakeApart, AttentionUnderMasks) {
  for (const char* mask : {"5x7", "1x5x7", "3x5x7", "2x1x5x7", "2x3x5x7", "1x3x5x7"}) {
    const std::string operands = "attention 2x3x5x8 2x3x7x8 2x3x7x8 " + std::string(mask);
    expect_take_apart_same_results({operands}, "Attention");
    // Seven keys: the first query of an image sees none.
    expect_take_apart_same_results({operands + ":bool", {0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1}},
                                   "Attention");
    expect_take_apart_same_results({operands + ":bool is_causal=1", {0, 1, 1, 0, 1}}, "Attention");
  }
  expect_take_apart_same_results({"attention 1x4x5x8 1x2x7x8 1x2x7x8 1x4x5x7:bool", {0, 1, 1}},
                                 "Attention");
  expect_take_apart_same_results({"attention 1x4x5x8 1x2x7x8 1x2x7x8 1x1x5x4", {}},
                                 "Attention");  // short
}

TEST(TakeApart, AttentionOfImagesThatEndEarly) {
  for (const char* text : {"attention 2x3x2x8 2x3x7x8 2x3x7x8 _ _ _ 2:int64",
                           "attention 2x3x2x8 2x3x7x8 2x3x7x8 _ _ _ 2:int64 is_causal=1"}) {
    expect_take_apart_same_results({text, {3, 7}}, "Attention");
  }
}

TEST(TakeApart, AttentionThatReturnsScores) {
  for (const char* stage : {"0", "1", "2", "3"}) {
    expect_take_apart_same_results({"attention 2x4x5x8 2x2x7x8 2x2x7x8 5x7 outputs=0,3 softcap=3 "
                                    "qk_matmul_output_mode=" +
                                    std::string(stage)},
                                   "Attention");
  }
}

TEST(TakeApart, MultiHeadAttentionInEveryForm) {
  const std::string name = "com.microsoft.multi_head_attention ";
  for (const std::string& operands : {
           std::string("2x5x12 2x7x12 2x7x18 num_heads=3"),
           std::string("2x5x3x3x8 num_heads=3"),
           std::string("2x5x24 2x7x3x2x8 num_heads=3"),
           std::string("2x5x24 2x3x7x8 2x3x7x8 num_heads=3"),
           std::string("2x5x12 2x7x12 2x7x12 36 num_heads=3 scale=0.3"),
           std::string("2x5x24 2x3x7x8 2x3x7x8 72 num_heads=3"),
           std::string("2x3x12 2x3x12 2x3x12 _ _ _ 2x3x4x4 2x3x4x4 num_heads=3 outputs=0,1,2,3 "
                       "unidirectional=1"),
           std::string("2x5x12 2x7x12 2x7x12 _ _ 1x3x5x7 num_heads=3"),
       }) {
    expect_take_apart_same_results({name + operands}, "MultiHeadAttention");
  }
}

TEST(TakeApart, MultiHeadAttentionUnderPadding) {
  const std::string operands = "com.microsoft.multi_head_attention 2x5x12 2x7x12 2x7x12 _ ";
  expect_take_apart_same_results({operands + "2:int32 num_heads=3", {3, 7}}, "MultiHeadAttention");
  expect_take_apart_same_results({operands + "2x7:int32 num_heads=3", {1, 0, 1, 1}},
                                 "MultiHeadAttention");
  expect_take_apart_same_results({operands + "2x5x7:int32 num_heads=3", {1, 0, 1}},
                                 "MultiHeadAttention");
}

TEST(TakeApart, AttentionWithItsProjections) {
  const std::string name = "com.microsoft.attention ";
  for (const std::string& operands : {
           std::string("2x5x8 w:8x36 w:36 num_heads=3"),
           std::string("2x5x8 w:8x30 w:30 num_heads=3 qkv_hidden_sizes=12,12,6"),
           std::string("2x5x8 8x36 _ num_heads=3 unidirectional=1"),
           std::string("2x3x8 w:8x36 w:36 _ 2x2x3x4x4 num_heads=3 outputs=0,1"),
           std::string("2x5x8 w:8x36 w:36 2x5:int32 num_heads=3"),
       }) {
    expect_take_apart_same_results({name + operands, {1, 1, 0}}, "Attention");
  }
}

TEST(TakeApart, GroupedQueriesOfAPrompt) {
  const std::string name = "com.microsoft.group_query_attention ";
  const std::string heads = " kv_num_heads=2 num_heads=4";
  for (const std::string& operands : {
           "2x5x32 2x5x16 2x5x16 _ _ 2:int32 =5:int32" + heads,
           "2x5x64 _ _ _ _ 2:int32 =5:int32" + heads,
           "2x5x32 2x5x16 2x5x16 _ _ 2:int32 =5:int32" + heads +
               " local_window_size=2 outputs=0,1,2",
           "2x5x32 2x5x16 2x5x16 _ _ 2:int32 =5:int32 9x4 9x4 do_rotary=1" + heads,
           "2x5x64 _ _ _ _ 2:int32 =5:int32 9x2 9x2 do_rotary=1 rotary_interleaved=1 outputs=0,1" +
               heads,
           "2x5x32 2x5x16 2x5x16 _ _ 2:int32 =5:int32 _ _ _ 1x4x5x6" + heads + " softcap=2",
       }) {
    expect_take_apart_same_results({name + operands, {4, 2}}, "GroupQueryAttention");
  }
}

TEST(TakeApart, GroupedQueriesWithACache) {
  const std::string name = "com.microsoft.group_query_attention ";
  const std::string heads = " kv_num_heads=2 num_heads=4 outputs=0,1,2";
  struct Form {
    std::string operands;
    std::vector<int64_t> last;
  };
  for (const Form& form : std::vector<Form>{
           {"1x1x32 1x1x16 1x1x16 1x2x5x8 1x2x5x8 1:int32 =6:int32", {5}},     // grows by one
           {"2x1x32 2x1x16 2x1x16 2x2x9x8 2x2x9x8 2:int32 =6:int32", {5, 2}},  // a larger cache
           {"2x1x64 _ _ 2x2x5x8 2x2x5x8 2:int32 =6:int32", {5, 3}},            // packed
           {"1x3x32 1x3x16 1x3x16 1x2x5x8 1x2x5x8 1:int32 =8:int32", {7}},     // several steps
           {"1x3x32 1x3x16 1x3x16 1x2x9x8 1x2x9x8 1:int32 =7:int32", {5}},     // not all filled
           {"2x1x32 2x1x16 2x1x16 2x2x5x8 2x2x5x8 2:int32 =6:int32 9x4 9x4 do_rotary=1", {5, 3}},
           {"1x3x32 1x3x16 1x3x16 1x2x5x8 1x2x5x8 1:int32 =8:int32 local_window_size=2", {6}},
           {"2x1x32 2x1x16 2x1x16 2x2x5x8 2x2x5x8 2:int32 =6:int32 _ _ _ 1x4x1x7", {5, 3}},
       }) {
    expect_take_apart_same_results({name + form.operands + heads, form.last},
                                   "GroupQueryAttention");
  }
}

TEST(TakeApart, LeavesSeveralStepsOfSeveralImagesWithACache) {
  const auto workload = parse_workload(
      "com.microsoft.group_query_attention 2x2x32 2x2x16 2x2x16 2x2x5x8 2x2x5x8 2:int32 =7:int32 "
      "kv_num_heads=2 num_heads=4");
  ASSERT_TRUE(workload) << to_text(workload.error());
  Model model = take_apart_model_of(*workload);
  ASSERT_TRUE(infer_types(model));
  EXPECT_FALSE(take_apart(model));
}

TEST(TakeApart, NormsOfSums) {
  for (const char* text :
       {"com.microsoft.skip_layer_normalization 2x3x8 2x3x8 8 8 outputs=0,3",
        "com.microsoft.skip_layer_normalization 2x3x8 3x8 8 8 8",
        "com.microsoft.skip_layer_normalization 2x3x8 1x3x8 8 _ 8 outputs=0,3"}) {
    expect_take_apart_same_results({text}, "SkipLayerNormalization");
  }
  expect_take_apart_same_results(
      {"com.microsoft.skip_simplified_layer_normalization 2x3x8 2x3x8 8 8 outputs=0,3"},
      "SkipSimplifiedLayerNormalization");
}

TEST(TakeApart, NormsThatDivide) {
  for (const char* text : {"lp_norm 4x5", "lp_norm 3x4x5 axis=1 p=1", "lp_norm 1538x1 p=1"}) {
    expect_take_apart_same_results({text}, "LpNormalization");
  }
}

TEST(TakeApart, BlocksOfPixels) {
  for (const char* text :
       {"depth_to_space 2x12x3x5 blocksize=2", "depth_to_space 1x18x3x5 blocksize=3 mode=CRD"}) {
    expect_take_apart_same_results({text}, "DepthToSpace");
  }
  expect_take_apart_same_results({"space_to_depth 2x3x4x6 blocksize=2"}, "SpaceToDepth");
}

TEST(TakeApart, RotatedHeadsOfAnyPosition) {
  for (const char* text : {"com.microsoft.rotary_embedding 2x3x4x8 1:int64 9x4 9x4",
                           "com.microsoft.rotary_embedding 2x4x24 2x4:int64 9x4 9x4 num_heads=3",
                           "com.microsoft.rotary_embedding 2x4x24 1:int64 9x2 9x2 num_heads=3 "
                           "interleaved=1 rotary_embedding_dim=4"}) {
    const auto workload = parse_workload(text);
    ASSERT_TRUE(workload) << to_text(workload.error());
    Model model = take_apart_model_of(*workload);
    ASSERT_TRUE(infer_types(model));
    ASSERT_TRUE(take_apart(model)) << text;
    expect_take_apart_same_results({text, {2, 5, 1}}, "none");
  }
}

}  // namespace
}  // namespace opbench
