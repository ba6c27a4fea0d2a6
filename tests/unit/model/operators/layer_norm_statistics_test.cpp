#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "node_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

Node layer_norm(size_t outputs) {
  return node_of("LayerNormalization", {{"axis", int64_t{-1}}, {"epsilon", 0.0F}}, outputs);
}

const Tensor kX = float_tensor({2, 2}, {1, 3, 10, 2});
const Tensor kScale = float_tensor({2}, {1, 2});

TEST(LayerNormStatistics, AreMeanAndInverseDeviation) {
  const auto results = run_node(layer_norm(3), {kX, kScale, float_tensor({2}, {0, 1})});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(values_of<float>(results->at(0)), ElementsAre(-1, 3, 1, -1));
  EXPECT_EQ(results->at(1).type.shape, (Shape{2, 1}));
  EXPECT_THAT(values_of<float>(results->at(1)), ElementsAre(2, 6));
  EXPECT_THAT(values_of<float>(results->at(2)), ElementsAre(1, 0.25F));
}

TEST(LayerNormStatistics, SpanAllFromTheAxis) {
  Node node = node_of("LayerNormalization", {{"axis", int64_t{0}}, {"epsilon", 0.0F}}, 2);
  const auto results = run_node(node, {kX, kScale});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_EQ(results->at(1).type.shape, (Shape{1, 1}));
  EXPECT_THAT(values_of<float>(results->at(1)), ElementsAre(4));
}

TEST(LayerNormStatistics, AreSkippedWhereNobodyReadsThem) {
  Node node = layer_norm(3);
  node.outputs[0].clear();
  node.outputs[1].clear();
  const auto results = run_node(node, {kX, kScale});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(values_of<float>(results->at(2)), ElementsAre(1, 0.25F));
}

TEST(LayerNormStatistics, AreFloat32ForNarrowTensors) {
  const Tensor x = tensor_of<Float16>(DataType::kFloat16, {1, 2}, {Float16(1.0F), Float16(3.0F)});
  const Tensor scale = tensor_of<Float16>(DataType::kFloat16, {1}, {Float16(1.0F)});
  Node node = layer_norm(2);
  const auto results = run_node(node, {x, scale});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_EQ(results->at(0).type.data_type, DataType::kFloat16);
  EXPECT_EQ(results->at(1).type.data_type, DataType::kFloat32);
  EXPECT_THAT(values_of<float>(results->at(1)), ElementsAre(2));
  node.attributes["stash_type"] = int64_t{11};
  EXPECT_THAT(refusal(node, {x, scale}), HasSubstr("stash_type 11 is not supported"));
}

}  // namespace
}  // namespace opbench
