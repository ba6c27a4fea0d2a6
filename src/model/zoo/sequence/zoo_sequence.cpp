#include "model/zoo/sequence/zoo_sequence.h"

#include <cmath>
#include <utility>

namespace opbench {
namespace {

constexpr float kZooSequenceSmall = 0.05F;

/// Opset 17 and later have LayerNormalization.
constexpr int64_t kZooSequenceOpset = 17;

}  // namespace

Dimension sequence(int64_t length) { return {length, "sequence"}; }

std::string word_ids(ZooBuilder& b, int64_t length, const std::string& name) {
  return b.named_input(name, DataType::kInt64, {{b.batch_size(), ""}, sequence(length)});
}

std::string embedding(ZooBuilder& b, const std::string& name, const std::string& ids, int64_t rows,
                      int64_t width) {
  Shape shape = b.shape_of(ids);
  shape.push_back(width);
  return b.node("Gather", name, {b.normal_weight(name + "_weight", {rows, width}, width), ids},
                {{"axis", int64_t{0}}}, std::move(shape));
}

std::string linear(ZooBuilder& b, const std::string& name, const std::string& x,
                   const LinearOptions& options) {
  Shape shape = b.shape_of(x);
  const int64_t width = shape.back();
  shape.back() = options.units;
  b.count_multiply_adds(element_count(shape) * width);
  const std::string weight =
      b.normal_weight(name + "_weight", {width, options.units}, width, options.gain);
  if (!options.bias) return b.node("MatMul", name, {x, weight}, {}, shape);
  const std::string product = b.node("MatMul", name + "_matmul", {x, weight}, {}, shape);
  const std::string bias =
      b.uniform_weight(name + "_bias", {options.units}, -kZooSequenceSmall, kZooSequenceSmall);
  return b.node("Add", name, {product, bias}, {}, shape);
}

std::string layer_norm(ZooBuilder& b, const std::string& name, const std::string& x,
                       float epsilon) {
  b.use_opset(kZooSequenceOpset);
  const int64_t width = b.shape_of(x).back();
  std::vector<std::string> inputs = {
      x, b.uniform_weight(name + "_scale", {width}, 0.8F, 1.2F),
      b.uniform_weight(name + "_bias", {width}, -kZooSequenceSmall, kZooSequenceSmall)};
  return b.node("LayerNormalization", name, std::move(inputs),
                {{"axis", int64_t{-1}}, {"epsilon", epsilon}}, b.shape_of(x));
}

std::string rms_norm(ZooBuilder& b, const std::string& name, const std::string& x, float epsilon) {
  Shape rows = b.shape_of(x);
  const int64_t width = std::exchange(rows.back(), 1);
  std::string y = b.node("Pow", name + "_pow", {x, b.constant("two", 2.0F)}, {}, b.shape_of(x));
  y = b.node("ReduceMean", name + "_mean", {y}, {{"axes", std::vector<int64_t>{-1}}}, rows);
  y = b.node("Add", name + "_add", {y, b.constant(name + "_epsilon", epsilon)}, {}, rows);
  y = b.node("Sqrt", name + "_sqrt", {y}, {}, rows);
  y = b.node("Div", name + "_div", {x, y}, {}, b.shape_of(x));
  return binary(b, "Mul", name, y, b.uniform_weight(name + "_scale", {width}, 0.8F, 1.2F));
}

std::string gelu(ZooBuilder& b, const std::string& name, const std::string& x) {
  std::string y = binary(b, "Div", name + "_div", x, b.constant("gelu_root", std::sqrt(2.0F)));
  y = unary(b, "Erf", name + "_erf", y);
  y = binary(b, "Add", name + "_add", y, b.constant("gelu_one", 1.0F));
  y = binary(b, "Mul", name + "_mul", x, y);
  return binary(b, "Mul", name, y, b.constant("gelu_half", 0.5F));
}

std::string split_heads(ZooBuilder& b, const std::string& name, const std::string& x,
                        int64_t heads) {
  const Shape in = b.shape_of(x);
  const std::string y = reshape(b, name + "_heads", x, {in[0], in[1], heads, in[2] / heads});
  return transpose(b, name + "_transposed", y, {0, 2, 1, 3});
}

std::string join_heads(ZooBuilder& b, const std::string& name, const std::string& x) {
  const std::string y = transpose(b, name + "_transposed", x, {0, 2, 1, 3});
  const Shape in = b.shape_of(y);
  return reshape(b, name + "_joined", y, {in[0], in[1], in[2] * in[3]});
}

}  // namespace opbench
