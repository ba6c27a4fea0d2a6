#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "model/operators/workloads/workload.h"
#include "node_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
Tensor scalar(DataType type, T value) {
  return tensor_of<T>(type, {}, {value});
}

TEST(Quantize, RoundsHalvesToEvenAndSaturates) {
  const Tensor x = float_tensor({7}, {0.5F, 1.5F, 2.5F, -0.5F, -1.5F, 300, -300});
  EXPECT_THAT(result_of<uint8_t>(node_of("QuantizeLinear"), {x, float_tensor({}, {1})}),
              ElementsAre(0, 2, 2, 0, 0, 255, 0));
  EXPECT_THAT(result_of<int8_t>(node_of("QuantizeLinear"),
                                {x, float_tensor({}, {1}), scalar<int8_t>(DataType::kInt8, 10)}),
              ElementsAre(10, 12, 12, 10, 8, 127, -128));
}

TEST(Quantize, RoundsBeforeItAddsTheZeroPoint) {
  const Tensor x = float_tensor({3}, {0.5F, 1.5F, 2.5F});
  EXPECT_THAT(result_of<uint8_t>(node_of("QuantizeLinear"),
                                 {x, float_tensor({}, {1}), scalar<uint8_t>(DataType::kUint8, 1)}),
              ElementsAre(1, 3, 3));
}

TEST(Quantize, DividesInFloat) {
  // 0.35F / 0.1F is 3.5 in float, and just below it in double.
  EXPECT_THAT(result_of<uint8_t>(node_of("QuantizeLinear"),
                                 {float_tensor({2}, {0.35F, 0.25F}), float_tensor({}, {0.1F})}),
              ElementsAre(4, 2));
}

TEST(Quantize, TakesAScaleForEveryIndexAlongAnAxis) {
  const Tensor x = float_tensor({2, 3}, {2, 4, 6, 8, 10, 12});
  const Tensor scales = float_tensor({2}, {1, 2});
  const Tensor points = tensor_of<int16_t>(DataType::kInt16, {2}, {0, -1000});
  EXPECT_THAT(result_of<int16_t>(node_of("QuantizeLinear", {{"axis", int64_t{0}}}),
                                 {x, scales, points}, 21),
              ElementsAre(2, 4, 6, -996, -995, -994));
  EXPECT_THAT(result_of<uint8_t>(node_of("QuantizeLinear", {{"axis", int64_t{-1}}}),
                                 {x, float_tensor({3}, {1, 2, 3})}),
              ElementsAre(2, 2, 2, 8, 5, 4));
}

TEST(Quantize, TakesAScaleForEveryBlockOfAnAxis) {
  const Node node = node_of("QuantizeLinear", {{"axis", int64_t{1}}, {"block_size", int64_t{2}}});
  const Tensor x = float_tensor({2, 3}, {2, 4, 6, 8, 10, 12});
  EXPECT_THAT(result_of<uint8_t>(node, {x, float_tensor({2, 2}, {1, 2, 4, 3})}, 21),
              ElementsAre(2, 4, 3, 2, 2, 4));
  EXPECT_THAT(refusal(node, {x, float_tensor({2, 3}, {1, 2, 3, 4, 5, 6})}, 21),
              HasSubstr("scale 2x3 is not 2x2, one for every block of 2"));
  const Node by_column =
      node_of("QuantizeLinear", {{"axis", int64_t{0}}, {"block_size", int64_t{2}}});
  EXPECT_THAT(result_of<uint8_t>(by_column, {x, float_tensor({1, 3}, {1, 2, 3})}, 21),
              ElementsAre(2, 2, 2, 8, 5, 4));
}

TEST(Quantize, TakesItsTypeFromTheZeroPointOrAnAttribute) {
  const Tensor x = float_tensor({1}, {-70000});
  const Tensor one = float_tensor({}, {1});
  EXPECT_THAT(
      result_of<int16_t>(node_of("QuantizeLinear", {{"output_dtype", int64_t{5}}}), {x, one}, 21),
      ElementsAre(-32768));
  EXPECT_THAT(refusal(node_of("QuantizeLinear", {{"output_dtype", int64_t{3}}}),
                      {x, one, scalar<uint8_t>(DataType::kUint8, 0)}, 21),
              HasSubstr("output_dtype int8 differs from the zero point's uint8"));
  EXPECT_THAT(refusal(node_of("QuantizeLinear", {{"output_dtype", int64_t{1}}}), {x, one}, 21),
              HasSubstr("does not quantise to float32"));
  EXPECT_THAT(refusal(node_of("QuantizeLinear", {{"output_dtype", int64_t{17}}}), {x, one}, 21),
              HasSubstr("does not make ONNX type 17"));
}

TEST(Quantize, TakesIntegersNarrowFloatsAndEmptyTensors) {
  const Node node = node_of("QuantizeLinear");
  EXPECT_THAT(result_of<uint8_t>(
                  node, {tensor_of<int32_t>(DataType::kInt32, {2}, {5, 7}), float_tensor({}, {2})}),
              ElementsAre(2, 4));
  const Tensor half = tensor_of<Float16>(DataType::kFloat16, {1}, {Float16(6.0F)});
  const Tensor scale = tensor_of<Float16>(DataType::kFloat16, {1}, {Float16(2.0F)});
  EXPECT_THAT(result_of<uint8_t>(node, {half, scale}, 19), ElementsAre(3));
  EXPECT_THAT(result_of<uint8_t>(node, {float_tensor({0}, {}), float_tensor({}, {1})}),
              ElementsAre());
  EXPECT_THAT(result_of<uint8_t>(node, {float_tensor({}, {3}), float_tensor({}, {1})}),
              ElementsAre(3));
}

TEST(Quantize, RefusesScalesThatDoNotFit) {
  const Tensor x = float_tensor({2, 3}, {2, 4, 6, 8, 10, 12});
  const Tensor two = float_tensor({2}, {1, 2});
  EXPECT_THAT(refusal(node_of("QuantizeLinear"), {x, two}),
              HasSubstr("scale 2 does not fit extent 3 of axis 1"));
  EXPECT_THAT(refusal(node_of("QuantizeLinear", {{"axis", int64_t{2}}}), {x, two}),
              HasSubstr("axis 2 is outside rank 2"));
  EXPECT_THAT(refusal(node_of("QuantizeLinear"), {x, two, scalar<uint8_t>(DataType::kUint8, 0)}),
              HasSubstr("zero point scalar is not of the scale's shape 2"));
  EXPECT_THAT(refusal(node_of("QuantizeLinear", {{"block_size", int64_t{-2}}}), {x, two}, 21),
              HasSubstr("block_size -2 is below 1"));
}

TEST(Dequantize, ScalesTheDifferenceFromTheZeroPoint) {
  const Tensor x = tensor_of<uint8_t>(DataType::kUint8, {3}, {0, 128, 255});
  EXPECT_THAT(result_of(node_of("DequantizeLinear"),
                        {x, float_tensor({}, {0.5F}), scalar<uint8_t>(DataType::kUint8, 128)}),
              ElementsAre(-64, 0, 63.5F));
  const Tensor wide = tensor_of<int32_t>(DataType::kInt32, {1, 2}, {-8, 8});
  EXPECT_THAT(result_of(node_of("DequantizeLinear"), {wide, float_tensor({2}, {2, 4})}),
              ElementsAre(-16, 32));
}

TEST(Dequantize, HasTheScalesType) {
  const Tensor x = tensor_of<uint16_t>(DataType::kUint16, {1}, {3});
  const Tensor scale = tensor_of<Float16>(DataType::kFloat16, {}, {Float16(0.5F)});
  const auto results = run_node(node_of("DequantizeLinear"), {x, scale}, 21);
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_EQ(results->at(0).type.data_type, DataType::kFloat16);
  EXPECT_EQ(static_cast<float>(results->at(0).as<Float16>()[0]), 1.5F);
}

TEST(Dequantize, RefusesOtherTypes) {
  EXPECT_THAT(refusal(node_of("DequantizeLinear"), {float_tensor({1}, {1}), float_tensor({}, {1})}),
              HasSubstr("does not compute on float32"));
  EXPECT_THAT(refusal(node_of("DequantizeLinear"),
                      {tensor_of<int8_t>(DataType::kInt8, {1}, {1}), float_tensor({}, {1}),
                       scalar<uint8_t>(DataType::kUint8, 0)}),
              HasSubstr("zero point 2 is uint8, its operand int8"));
}

TEST(Quantize, LeavesOutOfItsTextWhatFollows) {
  const auto text = [](const std::string& from) { return text_of(parse_workload(from).value()); };
  EXPECT_EQ(text("quantize_linear 2x3x4 3 axis=-2"), "quantize_linear 2x3x4 3");
  EXPECT_EQ(text("quantize_linear 2x3x4 scalar axis=2"), "quantize_linear 2x3x4 scalar");
  EXPECT_EQ(text("quantize_linear 2x3x4 4 axis=-1 output_dtype=2"),
            "quantize_linear 2x3x4 4 axis=2");
  EXPECT_EQ(text("quantize_linear 2x4 2x2 axis=-1 block_size=2 output_dtype=3"),
            "quantize_linear 2x4 2x2 block_size=2 output_dtype=3");
  EXPECT_EQ(text("dequantize_linear 2x3:int8 2 2:int8 axis=-2 output_dtype=1"),
            "dequantize_linear 2x3:int8 2 2:int8 axis=0");
}

TEST(DynamicQuantize, WidensTheRangeToZero) {
  const auto results =
      run_node(node_of("DynamicQuantizeLinear", {}, 3), {float_tensor({3}, {51, 102, 255})});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(values_of<uint8_t>(results->at(0)), ElementsAre(51, 102, 255));
  EXPECT_THAT(values_of<float>(results->at(1)), ElementsAre(1));
  EXPECT_THAT(values_of<uint8_t>(results->at(2)), ElementsAre(0));
}

TEST(DynamicQuantize, PutsZeroAtTheZeroPoint) {
  const auto results =
      run_node(node_of("DynamicQuantizeLinear", {}, 3), {float_tensor({2, 2}, {-100, 0, 155, 1})});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(values_of<uint8_t>(results->at(0)), ElementsAre(0, 100, 255, 101));
  EXPECT_THAT(values_of<uint8_t>(results->at(2)), ElementsAre(100));
}

TEST(DynamicQuantize, HasAScaleOf1WhereEverythingIs0) {
  const auto results =
      run_node(node_of("DynamicQuantizeLinear", {}, 3), {float_tensor({2}, {0, 0})});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(values_of<uint8_t>(results->at(0)), ElementsAre(0, 0));
  EXPECT_THAT(values_of<float>(results->at(1)), ElementsAre(1));
}

TEST(DynamicQuantize, SkipsWhatNobodyReads) {
  Node node = node_of("DynamicQuantizeLinear", {}, 3);
  node.outputs[0].clear();
  const auto results = run_node(node, {float_tensor({1}, {510})});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(values_of<float>(results->at(1)), ElementsAre(2));
  EXPECT_EQ(text_of(parse_workload("dynamic_quantize 3").value()), "dynamic_quantize 3");
  EXPECT_FALSE(parse_workload("dynamic_quantize 3:int8"));
}

}  // namespace
}  // namespace opbench
