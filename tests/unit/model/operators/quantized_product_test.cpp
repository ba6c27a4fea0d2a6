#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/operators/workloads/workload.h"
#include "node_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor quantized_product_bytes(Shape shape, const std::vector<uint8_t>& values) {
  return tensor_of<uint8_t>(DataType::kUint8, std::move(shape), values);
}

Tensor signed_bytes(Shape shape, const std::vector<int8_t>& values) {
  return tensor_of<int8_t>(DataType::kInt8, std::move(shape), values);
}

Tensor one(float value) { return float_tensor({}, {value}); }

TEST(MatMulInteger, SubtractsTheZeroPoints) {
  const Tensor a = quantized_product_bytes({2, 2}, {1, 2, 3, 4});
  const Tensor b = signed_bytes({2, 2}, {1, -1, 2, -2});
  const Node node = node_of("MatMulInteger");
  EXPECT_THAT(result_of<int32_t>(node, {a, b}), ElementsAre(5, -5, 11, -11));
  EXPECT_THAT(result_of<int32_t>(node, {a, b, quantized_product_bytes({}, {1})}),
              ElementsAre(2, -2, 8, -8));
  EXPECT_THAT(result_of<int32_t>(node, {a, b, quantized_product_bytes({2}, {1, 3})}),
              ElementsAre(2, -2, 2, -2));
  EXPECT_THAT(result_of<int32_t>(node, {a, b, omitted(), signed_bytes({2}, {1, -1})}),
              ElementsAre(2, -2, 4, -4));
  EXPECT_THAT(result_of<int32_t>(node, {a, b, quantized_product_bytes({2, 1}, {1, 3}),
                                        signed_bytes({1, 2}, {1, -1})}),
              ElementsAre(1, -1, 1, -1));
}

TEST(MatMulInteger, BroadcastsBatchesAndTakesVectors) {
  const Node node = node_of("MatMulInteger");
  EXPECT_THAT(result_of<int32_t>(node, {quantized_product_bytes({2, 1, 2}, {1, 2, 3, 4}),
                                        quantized_product_bytes({2, 1}, {1, 2}),
                                        quantized_product_bytes({2, 1, 1}, {0, 1})}),
              ElementsAre(5, 8));
  EXPECT_THAT(result_of<int32_t>(node, {quantized_product_bytes({2}, {1, 2}),
                                        quantized_product_bytes({2}, {3, 255})}),
              ElementsAre(513));
  EXPECT_THAT(result_of<int32_t>(
                  node, {quantized_product_bytes({1, 0}, {}), quantized_product_bytes({0, 2}, {})}),
              ElementsAre(0, 0));
}

TEST(MatMulInteger, RefusesOperandsThatDoNotFit) {
  const Node node = node_of("MatMulInteger");
  const Tensor a = quantized_product_bytes({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(refusal(node, {a, quantized_product_bytes({3}, {1, 2, 3})}),
              HasSubstr("differ in the summed extent"));
  EXPECT_THAT(refusal(node, {a, float_tensor({2}, {1, 2})}),
              HasSubstr("operand 1 is float32, not int8 or uint8"));
  EXPECT_THAT(refusal(node, {a, a, quantized_product_bytes({3}, {1, 2, 3})}),
              HasSubstr("operand 2 of shape 3 does not fit the rows of 2x2"));
  EXPECT_THAT(refusal(node, {a, a, quantized_product_bytes({1, 2}, {1, 2})}),
              HasSubstr("operand 2 of shape 1x2 does not fit the rows of 2x2"));
  EXPECT_THAT(
      refusal(node, {a, quantized_product_bytes({2}, {1, 2}), quantized_product_bytes({}, {1}),
                     quantized_product_bytes({2}, {1, 2})}),
      HasSubstr("operand 3 of shape 2 does not fit the columns of 2"));
  EXPECT_THAT(refusal(node, {a, a, signed_bytes({}, {1})}),
              HasSubstr("zero point 2 is int8, its operand uint8"));
}

TEST(QLinearMatMul, ScalesRoundsAndSaturates) {
  const Node node = node_of("QLinearMatMul");
  const Tensor a = quantized_product_bytes({2, 2}, {1, 2, 3, 4});
  const Tensor b = quantized_product_bytes({2, 2}, {1, 2, 3, 100});
  const Tensor zero = quantized_product_bytes({}, {0});
  EXPECT_THAT(result_of<uint8_t>(node, {a, one(1), zero, b, one(0.5F), zero, one(1),
                                        quantized_product_bytes({}, {1})}),
              ElementsAre(5, 102, 9, 204));
  EXPECT_THAT(
      result_of<int8_t>(node, {a, one(1), zero, b, one(1), zero, one(2), signed_bytes({}, {0})}),
      ElementsAre(4, 101, 8, 127));
}

TEST(QLinearMatMul, HasScalesForRowsAndColumns) {
  const Node node = node_of("QLinearMatMul");
  const Tensor a = quantized_product_bytes({2, 2}, {1, 2, 3, 4});
  const Tensor b = quantized_product_bytes({2, 2}, {1, 2, 3, 4});
  const Tensor zero = quantized_product_bytes({}, {0});
  const Tensor zeros = quantized_product_bytes({2}, {0, 0});
  EXPECT_THAT(result_of<uint8_t>(node, {a, float_tensor({2}, {1, 2}), zeros, b,
                                        float_tensor({2}, {1, 3}), zeros, one(1), zero}),
              ElementsAre(7, 30, 30, 132));
  EXPECT_THAT(result_of<uint8_t>(node, {a, one(1), zero, b, one(1), zero, float_tensor({2}, {1, 2}),
                                        quantized_product_bytes({2}, {0, 10})}),
              ElementsAre(7, 10, 18, 21));
}

TEST(QLinearMatMul, RefusesScalesThatDoNotFit) {
  const Node node = node_of("QLinearMatMul");
  const Tensor a = quantized_product_bytes({2, 2}, {1, 2, 3, 4});
  const Tensor zero = quantized_product_bytes({}, {0});
  EXPECT_THAT(refusal(node, {a, float_tensor({3}, {1, 2, 3}), zero, a, one(1), zero, one(1), zero}),
              HasSubstr("operand 1 of shape 3 does not fit the rows of 2x2"));
  EXPECT_THAT(refusal(node, {a, one(1), zero, a, one(1), zero, one(1)}),
              HasSubstr("operand 7 is missing"));
  const std::string text =
      "qlinear_matmul 2x3:uint8 scalar scalar:uint8 w:3x4:int8 4 4:int8 scalar scalar:uint8";
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
  EXPECT_EQ(flops_of(parse_workload(text).value()), 2 * 24 + 16);
}

TEST(ConvInteger, PadsWithTheZeroPoint) {
  const Tensor x = quantized_product_bytes({1, 1, 2, 2}, {2, 3, 4, 5});
  const Tensor w = quantized_product_bytes({1, 1, 2, 2}, {1, 1, 1, 1});
  const Node node = node_of("ConvInteger", {{"pads", std::vector<int64_t>{0, 0, 1, 1}}});
  EXPECT_THAT(result_of<int32_t>(node, {x, w, quantized_product_bytes({}, {1})}),
              ElementsAre(10, 6, 7, 4));
  EXPECT_THAT(result_of<int32_t>(node, {x, w}), ElementsAre(14, 8, 9, 5));
}

TEST(ConvInteger, HasGroupsAndAZeroPointForEveryFilter) {
  const Tensor x = signed_bytes({1, 2, 2}, {1, 2, 3, -4});
  const Tensor w = signed_bytes({2, 1, 1}, {2, 3});
  const Node node = node_of("ConvInteger", {{"group", int64_t{2}}});
  EXPECT_THAT(result_of<int32_t>(node, {x, w, omitted(), signed_bytes({2}, {1, -1})}),
              ElementsAre(1, 2, 12, -16));
  EXPECT_THAT(refusal(node, {x, w, omitted(), signed_bytes({3}, {1, 1, 1})}),
              HasSubstr("operand 3 of shape 3 does not fit 2 filters"));
  EXPECT_THAT(refusal(node, {x, w, signed_bytes({2}, {1, 1})}),
              HasSubstr("zero point of shape 2 has not one element"));
  EXPECT_THAT(refusal(node, {x, signed_bytes({2, 2, 1}, {1, 1, 1, 1})}),
              HasSubstr("filters 2x2x1 in 2 groups do not fit input 1x2x2"));
}

TEST(ConvInteger, ConvolvesVolumes) {
  const Tensor x = quantized_product_bytes({1, 1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor w = quantized_product_bytes({1, 1, 1, 2, 1}, {1, 10});
  EXPECT_THAT(result_of<int32_t>(node_of("ConvInteger"), {x, w}), ElementsAre(31, 42));
}

TEST(QLinearConv, ScalesSumAndBias) {
  const Tensor x = quantized_product_bytes({1, 1, 1, 2}, {3, 5});
  const Tensor w = signed_bytes({2, 1, 1, 1}, {1, -2});
  const Tensor w_zero = signed_bytes({}, {0});
  const Tensor bias = tensor_of<int32_t>(DataType::kInt32, {2}, {10, 20});
  const Tensor y_zero = quantized_product_bytes({}, {7});
  const Node node = node_of("QLinearConv");
  EXPECT_THAT(result_of<uint8_t>(node, {x, one(1), quantized_product_bytes({}, {1}), w,
                                        float_tensor({2}, {1, 2}), w_zero, one(2), y_zero, bias}),
              ElementsAre(13, 14, 23, 19));
  EXPECT_THAT(result_of<uint8_t>(node, {x, one(1), quantized_product_bytes({}, {1}), w, one(2),
                                        w_zero, one(1), y_zero}),
              ElementsAre(11, 15, 0, 0));
}

TEST(QLinearConv, KeepsItsWindowInTheText) {
  const std::string text =
      "qlinear_conv 1x2x5x5:uint8 scalar scalar:uint8 w:4x1x3x3:int8 4 4:int8 scalar "
      "scalar:uint8 w:4:int32 group=2 pads=1,1,1,1";
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
  EXPECT_FALSE(parse_workload(
      "qlinear_conv 1x2x5:uint8 scalar scalar:uint8 4x2x3:int8 3 4:int8 scalar scalar:uint8"));
  EXPECT_FALSE(parse_workload(
      "qlinear_conv 1x2x5:uint8 scalar scalar:uint8 4x2x3:int8 4 4:int8 scalar scalar:uint8 4"));
}

}  // namespace
}  // namespace opbench
