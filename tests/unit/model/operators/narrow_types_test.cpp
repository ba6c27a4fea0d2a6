#include <gtest/gtest.h>

#include <algorithm>

#include "base/tensors/half.h"
#include "base/tensors/tensor_difference.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

template <class T>
Tensor narrow(DataType type, const Tensor& wide) {
  Tensor result = Tensor::empty({type, wide.type.shape});
  std::ranges::transform(wide.as<float>(), result.as<T>().begin(),
                         [](float value) { return static_cast<T>(value); });
  return result;
}

/// Values that float16 and bfloat16 hold exactly.
Tensor small_values(const Shape& shape) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  const auto values = tensor.as<float>();
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((i * 7) % 11) / 8 - 0.5F;
  return tensor;
}

/// Runs `text` with `:float16` or `:bfloat16` operands and compares with float32.
template <class T>
void expect_close(const std::string& wide_text, const std::string& narrow_text, DataType type) {
  const auto wide = parse_workload(wide_text);
  const auto less = parse_workload(narrow_text);
  ASSERT_TRUE(wide && less) << narrow_text;
  EXPECT_EQ(text_of(*less), narrow_text);
  std::vector<Tensor> inputs;
  std::vector<Tensor> narrow_inputs;
  for (const Value& input : wide->graph.inputs) {
    inputs.push_back(small_values(wide->graph.types.at(input.name).shape));
    narrow_inputs.push_back(narrow<T>(type, inputs.back()));
  }
  const auto expected = run_reference(*wide, inputs);
  const auto got = run_reference(*less, narrow_inputs);
  ASSERT_TRUE(expected) << to_text(expected.error());
  ASSERT_TRUE(got) << to_text(got.error());
  EXPECT_EQ(got->type.data_type, type);
  EXPECT_EQ(*got, narrow<T>(type, *expected)) << narrow_text << ": rounded once";
}

TEST(NarrowTypes, ComputeInFloat32AndRoundOnce) {
  expect_close<Float16>("conv2d 1x3x5x5 w:4x3x3x3 w:4",
                        "conv2d 1x3x5x5:float16 w:4x3x3x3:float16 w:4:float16", DataType::kFloat16);
  expect_close<BFloat16>("matmul 2x3x4 2x4x5", "matmul 2x3x4:bfloat16 2x4x5:bfloat16",
                         DataType::kBFloat16);
  expect_close<Float16>("softmax 2x9", "softmax 2x9:float16", DataType::kFloat16);
  expect_close<Float16>("add 2x9 9", "add 2x9:float16 9:float16", DataType::kFloat16);
  expect_close<BFloat16>("sigmoid 2x9", "sigmoid 2x9:bfloat16", DataType::kBFloat16);
  expect_close<Float16>("max_pool 1x2x4x4 kernel_shape=2,2",
                        "max_pool 1x2x4x4:float16 kernel_shape=2,2", DataType::kFloat16);
}

TEST(NarrowTypes, AddIntegersOfAllWidths) {
  for (const char* type : {"int16", "uint16", "uint32", "uint64", "int8", "uint8"}) {
    const auto workload = parse_workload(std::string("add 3:") + type + " =2:" + type);
    ASSERT_TRUE(workload) << to_text(workload.error());
    Tensor x = Tensor::empty(workload->graph.types.at("x0"));
    std::ranges::fill(x.data, std::byte{0});
    const auto sum = run_reference(*workload, {x});
    ASSERT_TRUE(sum) << to_text(sum.error());
    EXPECT_EQ(integers(*sum), (std::vector<int64_t>{2, 2, 2})) << type;
  }
}

}  // namespace
}  // namespace opbench
