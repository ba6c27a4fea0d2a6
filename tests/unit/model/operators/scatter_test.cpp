#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NodeOnTensors scatter_row(const std::string& reduction, std::vector<int64_t> indices,
                          std::vector<float> updates) {
  const Shape shape{static_cast<int64_t>(indices.size())};
  return {make_node("ScatterElements", {{"reduction", reduction}}),
          {float_tensor({3}, {2, 3, 4}), int_tensor(shape, indices), float_tensor(shape, updates)}};
}

TEST(ScatterElements, CombinesUpdatesWithWhatIsThere) {
  EXPECT_THAT(scatter_row("none", {1, -1, 1}, {7, 8, 9}).floats(), ElementsAre(2, 9, 8));
  EXPECT_THAT(scatter_row("add", {1, -1, 1}, {7, 8, 9}).floats(), ElementsAre(2, 19, 12));
  EXPECT_THAT(scatter_row("mul", {1, -1, 1}, {7, 8, 9}).floats(), ElementsAre(2, 189, 32));
  EXPECT_THAT(scatter_row("max", {0, 1, 1}, {1, 4, 9}).floats(), ElementsAre(2, 9, 4));
  EXPECT_THAT(scatter_row("min", {0, 1, 1}, {1, 4, 9}).floats(), ElementsAre(1, 3, 4));
}

TEST(ScatterElements, ScattersAlongAnyAxis) {
  const NodeOnTensors node(make_node("ScatterElements", {{"axis", int64_t{-1}}}),
                           {float_tensor({2, 3}, {0, 0, 0, 0, 0, 0}), int_tensor({2, 1}, {2, 0}),
                            float_tensor({2, 1}, {5, 6})});
  EXPECT_THAT(node.floats(), ElementsAre(0, 0, 5, 6, 0, 0));
}

TEST(ScatterElements, TakesTruthValuesAndIntegers) {
  const NodeOnTensors truths(
      make_node("ScatterElements", {{"reduction", std::string("add")}}),
      {bool_tensor({2}, {1, 0}), int_tensor({2}, {0, 0}), bool_tensor({2}, {1, 1})});
  EXPECT_THAT(truths.integers(), ElementsAre(1, 0));
  const NodeOnTensors wraps(
      make_node("ScatterElements", {{"reduction", std::string("mul")}}),
      {int_tensor({1}, {INT64_MAX}), int_tensor({1}, {0}), int_tensor({1}, {2})});
  EXPECT_THAT(wraps.integers(), ElementsAre(-2));
}

TEST(ScatterElements, RefusesWhatDoesNotFit) {
  EXPECT_THAT(scatter_row("none", {3}, {1}).refusal(), HasSubstr("index 3 is outside extent 3"));
  EXPECT_THAT(scatter_row("mean", {0}, {1}).refusal(), HasSubstr("unknown reduction \"mean\""));
  EXPECT_THAT(refusal_of("scatter_elements 3 2:int64 1"), HasSubstr("updates 1 are not 2"));
  EXPECT_THAT(refusal_of("scatter_elements 3 2:int64 2:int32"),
              HasSubstr("updates are int32, data are float32"));
  EXPECT_THAT(refusal_of("scatter_elements 3x3 2x4:int64 2x4"), HasSubstr("do not fit data 3x3"));
}

TEST(ScatterElements, IsTheModernFormOfScatter) {
  const NodeOnTensors node(
      make_node("Scatter"),
      {float_tensor({2}, {1, 2}), int_tensor({1}, {1}), float_tensor({1}, {5})}, 9);
  EXPECT_THAT(node.floats(), ElementsAre(1, 5));
  std::map<std::string, Tensor> constants;
  EXPECT_EQ(node.definition().modern_form(node.call(), constants).type, "ScatterElements");
}

TEST(ScatterElements, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("scatter_elements 3x2 1x1:int64 1x1 axis=-2 reduction=none"),
            "scatter_elements 3x2 1x1:int64 1x1");
  EXPECT_EQ(normal_text("scatter_elements 3x2 1x1:int64 1x1 axis=-1 reduction=add"),
            "scatter_elements 3x2 1x1:int64 1x1 axis=1 reduction=add");
}

NodeOnTensors scatter_nd(const std::string& reduction, const Tensor& indices,
                         const Tensor& updates) {
  return {make_node("ScatterND", {{"reduction", reduction}}),
          {float_tensor({2, 2}, {1, 2, 3, 4}), indices, updates}};
}

TEST(ScatterNd, PlacesPartsAndElements) {
  EXPECT_THAT(scatter_nd("none", int_tensor({1, 1}, {-1}), float_tensor({1, 2}, {7, 8})).floats(),
              ElementsAre(1, 2, 7, 8));
  EXPECT_THAT(scatter_nd("none", int_tensor({2}, {0, 1}), float_tensor({}, {7})).floats(),
              ElementsAre(1, 7, 3, 4));
  EXPECT_THAT(scatter_nd("none", int_tensor({0, 1}, {}), float_tensor({0, 2}, {})).floats(),
              ElementsAre(1, 2, 3, 4));
}

TEST(ScatterNd, CombinesPartsThatMeet) {
  const Tensor indices = int_tensor({2, 1}, {0, 0});
  const Tensor updates = float_tensor({2, 2}, {5, 1, 2, 3});
  EXPECT_THAT(scatter_nd("add", indices, updates).floats(), ElementsAre(8, 6, 3, 4));
  EXPECT_THAT(scatter_nd("mul", indices, updates).floats(), ElementsAre(10, 6, 3, 4));
  EXPECT_THAT(scatter_nd("max", indices, updates).floats(), ElementsAre(5, 3, 3, 4));
  EXPECT_THAT(scatter_nd("min", indices, updates).floats(), ElementsAre(1, 1, 3, 4));
}

TEST(ScatterNd, RefusesWhatDoesNotFit) {
  EXPECT_THAT(scatter_nd("none", int_tensor({1, 1}, {2}), float_tensor({1, 2}, {7, 8})).refusal(),
              HasSubstr("index 2 is outside extent 2"));
  EXPECT_THAT(refusal_of("scatter_nd 2x2 1x3:int64 1"), HasSubstr("tuples of 3 indices"));
  EXPECT_THAT(refusal_of("scatter_nd 2x2 scalar:int64 2x2"), HasSubstr("no tuples but a scalar"));
  EXPECT_THAT(refusal_of("scatter_nd 2x2 1x1:int64 1x3"), HasSubstr("updates 1x3 are not 1x2"));
}

TEST(ScatterNd, NeedsALaterOpsetForExtremes) {
  const std::string operands = "scatter_nd 2x2 1x1:int64 1x2 reduction=";
  EXPECT_EQ(parse_workload(operands + "add").value().opset, 17);
  EXPECT_EQ(parse_workload(operands + "max").value().opset, 18);
}

TEST(ScatterNd, CountsWhatIsCombined) {
  EXPECT_EQ(flops_of(parse_workload("scatter_nd 2x2 1x1:int64 1x2").value()), 0.0);
  EXPECT_EQ(flops_of(parse_workload("scatter_nd 2x2 1x1:int64 1x2 reduction=add").value()), 2.0);
}

}  // namespace
}  // namespace opbench
