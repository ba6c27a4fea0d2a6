#include "model/passes/free_outline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/operators/workloads/workload.h"
#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

Tensor filled(const Shape& shape) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  for (float& value : tensor.as<float>()) value = 0.5F;
  return tensor;
}

/// Products of x [length, 64] with weights that are read as they stand, transposed, and sliced to
/// the length.
Model model_at(int64_t length) {
  Model model;
  model.name = "made";
  model.opset = 17;
  Graph& graph = model.graph;
  graph.inputs = {{"x", DataType::kFloat32, true, {{length, "length"}, {64, ""}}}};
  graph.outputs = {{"y", DataType::kFloat32, true, {{length, "length"}, {64, ""}}}};
  graph.constants = {{"plain", filled({64, 64})},
                     {"turned_from", filled({64, 64})},
                     {"table_from", filled({64, 200})},
                     {"bias", filled({64})}};
  const int64_t zero = 0;
  graph.constants["zero"] = Tensor::of<int64_t>(DataType::kInt64, {1}, std::span(&zero, 1));
  graph.nodes = {
      {"shape", "Shape", "", {"x"}, {"shape"}},
      {"length", "Gather", "", {"shape", "zero"}, {"length"}, {{"axis", int64_t{0}}}},
      {"table", "Transpose", "", {"table_from"}, {"table"}, {{"perm", std::vector<int64_t>{1, 0}}}},
      {"part", "Slice", "", {"table", "zero", "length", "zero"}, {"part"}},
      {"a", "Add", "", {"x", "part"}, {"a"}},
      {"b", "MatMul", "", {"a", "plain"}, {"b"}},
      {"turned",
       "Transpose",
       "",
       {"turned_from"},
       {"turned"},
       {{"perm", std::vector<int64_t>{1, 0}}}},
      {"c", "MatMul", "", {"b", "turned"}, {"c"}},
      {"y", "Add", "", {"c", "bias"}, {"y"}}};
  return model;
}

TEST(FreeOutline, KeepsValuesThatPassesComputeWith) {
  const FreeOutline outline = free_outline(model_at(3));
  const auto& constants = outline.model.graph.constants;
  EXPECT_FALSE(has_values(constants.at("plain")));
  EXPECT_FALSE(has_values(constants.at("turned_from")));
  EXPECT_TRUE(has_values(constants.at("table_from")));  // its slice depends on the length
  EXPECT_TRUE(has_values(constants.at("bias")));
  EXPECT_EQ(outline.fixed.count("turned"), 1U);
  EXPECT_EQ(outline.fixed.count("table"), 1U);
  EXPECT_EQ(outline.fixed.count("part"), 0U);
  EXPECT_EQ(outline.fixed.count("length"), 0U);
}

TEST(FreeOutline, LowersToWhatTheModelLowersTo) {
  const FreeOutline outline = free_outline(model_at(3));
  for (const int64_t length : {0, 1, 7, 100}) {
    Model model = model_at(length);
    Model bound = outline_at(outline, model);
    const auto expected = lower(model);
    const auto units = lower(bound);
    ASSERT_TRUE(expected && units);
    ASSERT_EQ(units->size(), expected->size());
    for (size_t i = 0; i < units->size(); ++i) {
      EXPECT_EQ(text_of((*units)[i].workload), text_of((*expected)[i].workload));
    }
    EXPECT_EQ(bound.graph.constants.at("part"), model.graph.constants.at("part")) << length;
    EXPECT_EQ(bound.graph.constants.at("turned").type, model.graph.constants.at("turned").type);
  }
}

}  // namespace
}  // namespace opbench
