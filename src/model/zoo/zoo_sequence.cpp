#include <cassert>
#include <cmath>
#include <utility>

#include "base/numbers/random.h"
#include "model/zoo/zoo_builder.h"

// What models that read sequences are made of.

namespace opbench {
namespace {

Tensor scalar(float value) {
  return Tensor::of<float>(DataType::kFloat32, {}, std::span(&value, 1));
}

}  // namespace

void ZooBuilder::use_opset_17() {
  constexpr int64_t kIrVersion = 8;
  constexpr int64_t kOpset = 17;
  model_.ir_version = kIrVersion;
  model_.opset = kOpset;
}

std::string ZooBuilder::named_input(const std::string& name, const Shape& shape) {
  return add_input(name, DataType::kFloat32, shape);
}

std::string ZooBuilder::word_ids(int64_t length) {
  return add_input("input_ids", DataType::kInt64, {batch_size_, length});
}

std::string ZooBuilder::integers(const std::string& name, const std::vector<int64_t>& values) {
  const auto count = static_cast<int64_t>(values.size());
  model_.graph.constants[name] =
      Tensor::of<int64_t>(DataType::kInt64, {count}, std::span(values.data(), values.size()));
  return name;
}

std::string ZooBuilder::embedding(const std::string& name, const std::string& ids, int64_t rows,
                                  int64_t width) {
  Shape shape = shape_of(ids);
  shape.push_back(width);
  return append("Gather", name, {normal_weight(name + "_weight", {rows, width}, width), ids},
                {{"axis", int64_t{0}}}, std::move(shape));
}

std::string ZooBuilder::fixed_embedding(const std::string& name, int64_t rows, int64_t width,
                                        int64_t first, int64_t step, int64_t count) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(first + i * step);
  const std::string ids = integers(name + "_ids", numbers);
  shapes_[ids] = {count};
  return embedding(name, ids, rows, width);
}

std::string ZooBuilder::linear(const std::string& name, const std::string& x, int64_t units) {
  Shape shape = shape_of(x);
  const int64_t width = shape.back();
  shape.back() = units;
  multiply_adds_ += element_count(shape) * width;
  const std::string product =
      append("MatMul", name + "_matmul",
             {x, normal_weight(name + "_weight", {width, units}, width)}, {}, shape);
  return append("Add", name, {product, uniform_weight(name + "_bias", units, -0.05F, 0.05F)}, {},
                shape);
}

std::string ZooBuilder::matmul(const std::string& name, const std::string& a,
                               const std::string& b) {
  Shape shape = shape_of(a);
  assert(shape.back() == *(shape_of(b).end() - 2));
  shape.back() = shape_of(b).back();
  return append("MatMul", name, {a, b}, {}, std::move(shape));
}

std::string ZooBuilder::layer_norm(const std::string& name, const std::string& x, float epsilon) {
  use_opset_17();
  const int64_t width = shape_of(x).back();
  std::vector<std::string> inputs = {x, uniform_weight(name + "_scale", width, 0.8F, 1.2F),
                                     uniform_weight(name + "_bias", width, -0.05F, 0.05F)};
  return append("LayerNormalization", name, std::move(inputs),
                {{"axis", int64_t{-1}}, {"epsilon", epsilon}}, shape_of(x));
}

std::string ZooBuilder::scale(const std::string& name, const std::string& x, float factor) {
  model_.graph.constants[name + "_factor"] = scalar(factor);
  return append("Mul", name, {x, name + "_factor"}, {}, shape_of(x));
}

std::string ZooBuilder::gelu(const std::string& name, const std::string& x) {
  const Shape shape = shape_of(x);
  model_.graph.constants.try_emplace("gelu_root", scalar(std::sqrt(2.0F)));
  model_.graph.constants.try_emplace("gelu_one", scalar(1.0F));
  model_.graph.constants.try_emplace("gelu_half", scalar(0.5F));
  std::string y = append("Div", name + "_div", {x, "gelu_root"}, {}, shape);
  y = append("Erf", name + "_erf", {y}, {}, shape);
  y = append("Add", name + "_add", {y, "gelu_one"}, {}, shape);
  y = append("Mul", name + "_mul", {x, y}, {}, shape);
  return append("Mul", name, {y, "gelu_half"}, {}, shape);
}

std::string ZooBuilder::tanh(const std::string& name, const std::string& x) {
  return append("Tanh", name, {x}, {}, shape_of(x));
}

std::string ZooBuilder::add_broadcast(const std::string& name, const std::string& a,
                                      const std::string& b) {
  return append("Add", name, {a, b}, {}, shape_of(a));
}

std::string ZooBuilder::reshape(const std::string& name, const std::string& x, const Shape& shape) {
  assert(element_count(shape) == element_count(shape_of(x)));
  return append("Reshape", name, {x, integers(name + "_shape", shape)}, {}, shape);
}

std::string ZooBuilder::transpose(const std::string& name, const std::string& x,
                                  const std::vector<int64_t>& order) {
  Shape shape;
  for (const int64_t axis : order) shape.push_back(shape_of(x)[static_cast<size_t>(axis)]);
  return append("Transpose", name, {x}, {{"perm", order}}, std::move(shape));
}

std::string ZooBuilder::part(const std::string& name, const std::string& x, int64_t axis,
                             int64_t index, bool is_axis_kept) {
  Shape shape = shape_of(x);
  if (is_axis_kept) {
    shape[static_cast<size_t>(axis)] = 1;
    return append("Gather", name, {x, integers(name + "_index", {index})}, {{"axis", axis}},
                  std::move(shape));
  }
  shape.erase(shape.begin() + axis);
  model_.graph.constants[name + "_index"] =
      Tensor::of<int64_t>(DataType::kInt64, {}, std::span(&index, 1));
  return append("Gather", name, {x, name + "_index"}, {{"axis", axis}}, std::move(shape));
}

std::string ZooBuilder::lstm(const std::string& name, const std::string& x,
                             const std::string& hidden, const std::string& cell) {
  constexpr int64_t kGates = 4;
  const Shape in = shape_of(x);
  const int64_t units = shape_of(hidden).back();
  const int64_t rows = kGates * units;
  std::vector<std::string> inputs = {x,
                                     normal_weight(name + "_w", {1, rows, in[2]}, in[2]),
                                     normal_weight(name + "_r", {1, rows, units}, units),
                                     uniform_weight(name + "_b", 2 * rows, -0.05F, 0.05F),
                                     "",
                                     hidden,
                                     cell};
  model_.graph.constants.at(name + "_b").type.shape = {1, 2 * rows};
  multiply_adds_ += in[0] * in[1] * rows * (in[2] + units);
  const Shape states{in[0], 1, in[1], units};
  const std::string y =
      append("LSTM", name + "_states", std::move(inputs), {{"hidden_size", units}}, states);
  return reshape(name, y, {in[0], in[1], units});
}

}  // namespace opbench
