#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor qlinear_add_bytes(const Shape& shape, const std::vector<uint8_t>& values) {
  return Tensor::of<uint8_t>(DataType::kUint8, shape, std::span<const uint8_t>(values));
}

/// Bytes as `operand` (name, scale and zero point) of a QLinearAdd.
void add_operand(std::vector<Tensor>& inputs, Tensor tensor, float scale, uint8_t zero) {
  inputs.push_back(std::move(tensor));
  inputs.push_back(Tensor::of<float>(DataType::kFloat32, {}, std::span<const float>(&scale, 1)));
  inputs.push_back(qlinear_add_bytes({}, {zero}));
}

Tensor sum(const std::string& text, const std::vector<Tensor>& inputs) {
  const auto workload = parse_workload(text);
  EXPECT_TRUE(workload) << to_text(workload.error());
  auto y = run_reference(*workload, inputs);
  EXPECT_TRUE(y) << to_text(y.error());
  return std::move(*y);
}

TEST(QLinearAdd, AddsNumbersRoundsHalvesToEvenAndSaturates) {
  std::vector<Tensor> inputs;
  add_operand(inputs, qlinear_add_bytes({5}, {0, 11, 13, 255, 0}), 0.5F, 10);
  add_operand(inputs, qlinear_add_bytes({5}, {5, 5, 5, 255, 0}), 1, 5);
  add_operand(inputs, qlinear_add_bytes({}, {0}), 1, 3);
  inputs.erase(inputs.begin() + 6);
  // -5 + 0, 0.5, 1.5, 122.5 + 250, -5 - 5; then the zero point 3.
  const Tensor y = sum(
      "com.microsoft.qlinear_add 5:uint8 scalar scalar:uint8 5:uint8 scalar scalar:uint8 scalar "
      "scalar:uint8",
      inputs);
  EXPECT_THAT(y.as<uint8_t>(), ElementsAre(0, 3, 5, 255, 0));
}

TEST(QLinearAdd, BroadcastsItsOperands) {
  std::vector<Tensor> inputs;
  add_operand(inputs, qlinear_add_bytes({2, 1}, {1, 2}), 1, 0);
  add_operand(inputs, qlinear_add_bytes({3}, {10, 20, 30}), 1, 0);
  add_operand(inputs, qlinear_add_bytes({}, {0}), 1, 0);
  inputs.erase(inputs.begin() + 6);
  const Tensor y = sum(
      "com.microsoft.qlinear_add 2x1:uint8 scalar scalar:uint8 3:uint8 scalar scalar:uint8 scalar "
      "scalar:uint8",
      inputs);
  EXPECT_EQ(y.type.shape, (Shape{2, 3}));
  EXPECT_THAT(y.as<uint8_t>(), ElementsAre(11, 21, 31, 12, 22, 32));
}

TEST(QLinearAdd, RefusesOperandsOfTwoTypes) {
  const auto workload = parse_workload(
      "com.microsoft.qlinear_add 5:uint8 scalar scalar:uint8 5:int8 scalar scalar:uint8 scalar "
      "scalar:uint8");
  ASSERT_FALSE(workload);
  EXPECT_THAT(workload.error().message, HasSubstr("operands are uint8 and int8"));
}

}  // namespace
}  // namespace opbench
