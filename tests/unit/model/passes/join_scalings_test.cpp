#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/tensors/tensor_difference.h"
#include "graph_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using JoinScalingsStrings = std::vector<std::string>;

/// Builds a graph of nodes between bytes and floats.
class Builder {
 public:
  explicit Builder(const Shape& x, DataType type = DataType::kUint8) : type_(type) {
    model_.opset = 13;
    Value input{"x", DataType::kFloat32, true, {}};
    for (const int64_t extent : x) input.dimensions.push_back({extent, ""});
    model_.graph.inputs = {input};
  }

  std::string node(const std::string& type, JoinScalingsStrings inputs, const std::string& output,
                   Attributes attributes = {}) {
    model_.graph.nodes.push_back(
        {output, type, "", std::move(inputs), {output}, std::move(attributes), false});
    return output;
  }

  std::string constant(const std::string& name, Tensor tensor) {
    model_.graph.constants[name] = std::move(tensor);
    return name;
  }

  std::string number(const std::string& name, float value) {
    return constant(name, Tensor::of<float>(DataType::kFloat32, {}, std::span(&value, 1)));
  }

  std::string byte(const std::string& name, int value) {
    Tensor tensor = Tensor::empty({type_, {}});
    tensor.data[0] = static_cast<std::byte>(value);
    return constant(name, std::move(tensor));
  }

  /// x as bytes and back.
  std::string scaled(const std::string& x, float scale, int zero) {
    const std::string s = number(x + "_s", scale), z = byte(x + "_z", zero);
    return node("DequantizeLinear", {node("QuantizeLinear", {x, s, z}, x + "_q"), s, z}, x + "_d");
  }

  /// Weights of int8, one scale for each index of axis 0.
  std::string weights(const Shape& shape, uint64_t seed) {
    Tensor bytes = Tensor::empty({DataType::kInt8, shape});
    Random random(seed);
    for (std::byte& each : bytes.data) {
      each = static_cast<std::byte>(static_cast<int8_t>(random.uniform() * 254 - 127));
    }
    scales_.resize(static_cast<size_t>(shape[0]));
    for (float& scale : scales_) scale = 0.01F + 0.01F * static_cast<float>(random.uniform());
    constant("w_q", std::move(bytes));
    constant("w_s", vector(scales_));
    return node("DequantizeLinear", {"w_q", "w_s"}, "w", {{"axis", int64_t{0}}});
  }

  /// int32 values whose scale is that of products with x; call after `weights`.
  std::string bias(float x_scale) {
    std::vector<int32_t> values;
    std::vector<float> products;
    for (const float scale : scales_) {
      products.push_back(scale * x_scale);
      values.push_back(static_cast<int32_t>(values.size()) * 100 - 500);
    }
    const Shape shape = {static_cast<int64_t>(values.size())};
    constant("b_q", Tensor::of<int32_t>(DataType::kInt32, shape, std::span<const int32_t>(values)));
    constant("b_s", vector(products));
    return node("DequantizeLinear", {"b_q", "b_s"}, "b", {{"axis", int64_t{0}}});
  }

  Model model(const std::string& output) {
    model_.graph.outputs = {{output, DataType::kFloat32, false, {}}};
    return model_;
  }

 private:
  static Tensor vector(const std::vector<float>& values) {
    return Tensor::of<float>(DataType::kFloat32, {static_cast<int64_t>(values.size())},
                             std::span<const float>(values));
  }

  Model model_;
  DataType type_;
  std::vector<float> scales_;
};

JoinScalingsStrings joined(Model& model) {
  const auto inferred = infer_types(model);
  EXPECT_TRUE(inferred) << to_text(inferred.error());
  join_scalings(model);
  EXPECT_TRUE(fold_constants(model));
  EXPECT_TRUE(infer_types(model));
  JoinScalingsStrings types;
  for (const Node& node : model.graph.nodes) types.push_back(node.type);
  return types;
}

/// The joined model against the float one, in steps of the result.
void expect_same_result(Model model, float step, const JoinScalingsStrings& types) {
  ASSERT_TRUE(infer_types(model));
  const auto inputs = random_inputs(model.graph, 3);
  const Tensor before = run_nodes(model, inputs).value();
  EXPECT_EQ(joined(model), types);
  const Tensor after = run_nodes(model, inputs).value();
  const auto units = run_units(model, inputs);
  ASSERT_TRUE(units) << to_text(units.error());
  ASSERT_EQ(before.type, after.type);
  int differing = 0;
  for (size_t i = 0; i < before.as<float>().size(); ++i) {
    const float difference = std::abs(before.as<float>()[i] - after.as<float>()[i]);
    EXPECT_LE(difference, 1.01F * step);  // a float sum lies on the other side of a half
    differing += difference > 0.01F * step ? 1 : 0;
    EXPECT_EQ(units->as<float>()[i], after.as<float>()[i]);
  }
  EXPECT_LE(differing, std::ssize(before.as<float>()) / 100);
}

/// x (bytes) - Conv - `nodes` - bytes.
Model convolution(Builder& b, const JoinScalingsStrings& nodes, float scale, int zero) {
  std::string y =
      b.node("Conv", {b.scaled("x", 0.02F, 3), b.weights({8, 4, 3, 3}, 5), b.bias(0.02F)}, "conv",
             {{"pads", std::vector<int64_t>{1, 1, 1, 1}}});
  for (const std::string& type : nodes) {
    JoinScalingsStrings operands = {y};
    if (type == "Clip") operands = {y, b.number("low", -1), b.number("high", 2)};
    y = b.node(type, operands, type + "_y");
  }
  return b.model(b.scaled(y, scale, zero));
}

TEST(JoinScalings, MakesAConvolutionOfBytes) {
  Builder b({2, 4, 6, 6});
  expect_same_result(convolution(b, {}, 0.1F, 128), 0.1F,
                     {"QuantizeLinear", "QLinearConv", "DequantizeLinear"});
}

TEST(JoinScalings, DropsAReluThatSaturatesAnyhow) {
  Builder b({2, 4, 6, 6});
  expect_same_result(convolution(b, {"Relu"}, 0.1F, 0), 0.1F,
                     {"QuantizeLinear", "QLinearConv", "DequantizeLinear"});
}

TEST(JoinScalings, CutsBytesWhereAReluOrClipDoes) {
  for (const char* type : {"Relu", "Clip"}) {
    Builder b({2, 4, 6, 6}, DataType::kInt8);
    expect_same_result(convolution(b, {type}, 0.05F, 5), 0.05F,
                       {"QuantizeLinear", "QLinearConv", "Clip", "DequantizeLinear"});
  }
}

TEST(JoinScalings, LeavesAConvolutionWhoseFloatsAreRead) {
  Builder b({2, 4, 6, 6});
  convolution(b, {}, 0.1F, 128);
  Model model = b.model(b.node("Add", {"conv_d", "conv"}, "sum"));
  EXPECT_THAT(joined(model), ElementsAre("QuantizeLinear", "DequantizeLinear", "Conv",
                                         "QuantizeLinear", "DequantizeLinear", "Add"));
}

TEST(JoinScalings, LeavesABiasThatIntegersDoNotHold) {
  Builder b({2, 4, 6, 6});
  Model model = convolution(b, {}, 0.1F, 128);
  Tensor& scales = model.graph.constants.at("b_s");
  for (float& scale : scales.as<float>()) scale *= 1e9F;
  EXPECT_THAT(joined(model), ::testing::Contains("Conv"));
}

TEST(JoinScalings, LeavesDepthwiseConvolutions) {
  Builder b({2, 4, 6, 6});
  const std::string y = b.node("Conv", {b.scaled("x", 0.02F, 3), b.weights({4, 1, 3, 3}, 5)},
                               "conv", {{"group", int64_t{4}}});
  Model model = b.model(b.scaled(y, 0.1F, 128));
  EXPECT_THAT(joined(model), ::testing::Contains("Conv"));
}

TEST(JoinScalings, EvaluatesWeightsThatAreQuantisedInTheGraph) {
  Builder b({2, 4, 6, 6});
  b.weights({8, 4, 3, 3}, 5);
  Tensor floats = Tensor::empty({DataType::kFloat32, {8, 4, 3, 3}});
  Random(7).fill_uniform(floats.as<float>(), -0.5F, 0.5F);
  b.constant("w_f", std::move(floats));
  const int8_t zero = 0;
  b.constant("w_zero", Tensor::of<int8_t>(DataType::kInt8, {}, std::span(&zero, 1)));
  const std::string scale = b.number("one_s", 0.004F);
  const std::string q = b.node("QuantizeLinear", {"w_f", scale, "w_zero"}, "one_q");
  const std::string w = b.node("DequantizeLinear", {q, scale, "w_zero"}, "one");
  const std::string y = b.node("Conv", {b.scaled("x", 0.02F, 3), w}, "conv");
  expect_same_result(b.model(b.scaled(y, 0.05F, 128)), 0.05F,
                     {"QuantizeLinear", "QLinearConv", "DequantizeLinear"});
}

TEST(JoinScalings, MakesAProductOfBytes) {
  Builder b({2, 5, 8});
  Tensor bytes = Tensor::empty({DataType::kInt8, {8, 6}});
  for (size_t i = 0; i < bytes.data.size(); ++i) {
    bytes.data[i] = static_cast<std::byte>(static_cast<int8_t>(i * 37 % 255 - 127));
  }
  b.constant("w_q", std::move(bytes));
  const std::string w = b.node("DequantizeLinear", {"w_q", b.number("w_s", 0.01F)}, "w");
  const std::string y = b.node("MatMul", {b.scaled("x", 0.02F, 100), w}, "product");
  expect_same_result(b.model(b.scaled(y, 0.0517F, 128)), 0.0517F,
                     {"QuantizeLinear", "QLinearMatMul", "DequantizeLinear"});
}

TEST(JoinScalings, AddsBytes) {
  Builder b({2, 4, 6, 6});
  const std::string x = b.scaled("x", 0.02F, 100);
  const std::string z = b.scaled(b.node("Neg", {"x"}, "neg"), 0.03F, 120);
  const std::string y = b.node("Relu", {b.node("Add", {x, z}, "sum")}, "relu");
  expect_same_result(b.model(b.scaled(y, 0.01F, 0)), 0.01F,
                     {"QuantizeLinear", "Neg", "QuantizeLinear", "QLinearAdd", "DequantizeLinear"});
}

TEST(JoinScalings, PicksBytes) {
  Builder b({2, 4, 6, 6});
  const std::string pool = b.node("MaxPool", {b.scaled("x", 0.02F, 100)}, "pool",
                                  {{"kernel_shape", std::vector<int64_t>{2, 2}}});
  const std::string flat = b.node("Flatten", {pool}, "flat");
  // Of the same scaling, so that the bytes stay as they are.
  b.number("flat_s", 0.02F);
  b.byte("flat_z", 100);
  const std::string q = b.node("QuantizeLinear", {flat, "flat_s", "flat_z"}, "flat_q");
  const std::string y = b.node("DequantizeLinear", {q, "flat_s", "flat_z"}, "flat_d");
  expect_same_result(b.model(y), 0.02F,
                     {"QuantizeLinear", "MaxPool", "Flatten", "DequantizeLinear"});
}

}  // namespace
}  // namespace opbench
