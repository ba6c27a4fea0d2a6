#include "model/zoo/zoo_builder.h"

#include <cassert>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/numbers/random.h"

namespace opbench {
namespace {

constexpr float kSmall = 0.05F;

std::vector<int64_t> list(const Extent2& extents) { return {extents[0], extents[1]}; }

/// Begins and ends, as ONNX orders them.
std::vector<int64_t> both_sides(const Extent2& pad) { return {pad[0], pad[1], pad[0], pad[1]}; }

int64_t windows(int64_t extent, int64_t kernel, int64_t stride, int64_t pad) {
  return (extent + 2 * pad - kernel) / stride + 1;
}

}  // namespace

ZooBuilder::ZooBuilder(std::string model_name, int64_t batch_size, uint64_t seed)
    : batch_size_(batch_size), seed_(seed) {
  model_.name = std::move(model_name);
  model_.source = "zoo";
  model_.ir_version = 7;
  model_.opset = 13;
  model_.graph.name = model_.name;
}

std::string ZooBuilder::input(const Shape& shape) {
  Shape whole = {batch_size_};
  whole.insert(whole.end(), shape.begin(), shape.end());
  return add_input("data", DataType::kFloat32, std::move(whole));
}

std::string ZooBuilder::input_rows(int64_t rows, int64_t columns) {
  return add_input("data", DataType::kFloat32, {batch_size_ * rows, columns});
}

std::string ZooBuilder::add_input(const std::string& name, DataType type, Shape shape) {
  Value value;
  value.name = name;
  value.data_type = type;
  for (const int64_t extent : shape) value.dimensions.push_back({extent, ""});
  model_.graph.inputs.push_back(std::move(value));
  shapes_[name] = std::move(shape);
  return name;
}

std::string ZooBuilder::append(std::string type, const std::string& name,
                               std::vector<std::string> inputs, Attributes attributes,
                               Shape result) {
  const bool added = shapes_.emplace(name, std::move(result)).second;
  assert(added && "two nodes of one name");
  static_cast<void>(added);
  Node node;
  node.name = name;
  node.type = std::move(type);
  node.inputs = std::move(inputs);
  node.outputs = {name};
  node.attributes = std::move(attributes);
  model_.graph.nodes.push_back(std::move(node));
  return name;
}

Tensor& ZooBuilder::weight(const std::string& name, Shape shape) {
  Tensor& tensor = model_.graph.constants[name];
  tensor = Tensor::empty({DataType::kFloat32, std::move(shape)});
  parameters_ += tensor.type.size();
  return tensor;
}

/// He initialisation (He et al. 2015): standard deviation sqrt(2 / fan-in).
std::string ZooBuilder::normal_weight(const std::string& name, Shape shape, int64_t fan_in) {
  const float scale = std::sqrt(2.0F / static_cast<float>(fan_in));
  Random(seed_, name).fill_normal(weight(name, std::move(shape)).as<float>(), scale);
  return name;
}

std::string ZooBuilder::uniform_weight(const std::string& name, int64_t size, float low,
                                       float high) {
  Random(seed_, name).fill_uniform(weight(name, {size}).as<float>(), low, high);
  return name;
}

std::string ZooBuilder::conv(const std::string& name, const std::string& x,
                             const ConvOptions& options) {
  const Shape in = shape_of(x);
  const auto [kernel, stride, pad] = std::tie(options.kernel, options.stride, options.pad);
  const int64_t depth = in[1] / options.groups;
  const int64_t fan_in = depth * kernel[0] * kernel[1];
  std::vector<std::string> inputs = {
      x, normal_weight(name + "_weight", {options.channels, depth, kernel[0], kernel[1]}, fan_in)};
  if (options.bias) {
    inputs.push_back(uniform_weight(name + "_bias", options.channels, -kSmall, kSmall));
  }
  Shape out = {in[0], options.channels, windows(in[2], kernel[0], stride[0], pad[0]),
               windows(in[3], kernel[1], stride[1], pad[1])};
  multiply_adds_ += element_count(out) * fan_in;
  return append("Conv", name, std::move(inputs),
                {{"kernel_shape", list(kernel)},
                 {"strides", list(stride)},
                 {"pads", both_sides(pad)},
                 {"group", options.groups}},
                std::move(out));
}

std::string ZooBuilder::dense(const std::string& name, const std::string& x, int64_t units,
                              bool bias) {
  const Shape in = shape_of(x);
  std::vector<std::string> inputs = {x, normal_weight(name + "_weight", {units, in[1]}, in[1])};
  if (bias) inputs.push_back(uniform_weight(name + "_bias", units, -kSmall, kSmall));
  multiply_adds_ += in[0] * in[1] * units;
  return append("Gemm", name, std::move(inputs), {{"transB", int64_t{1}}}, {in[0], units});
}

std::string ZooBuilder::batch_norm(const std::string& name, const std::string& x,
                                   const BatchNormOptions& options) {
  const Shape shape = shape_of(x);
  const float low = options.scaled ? 0.8F : 1.0F;
  const float high = options.scaled ? 1.2F : 1.0F;
  std::vector<std::string> inputs = {x, uniform_weight(name + "_scale", shape[1], low, high),
                                     uniform_weight(name + "_bias", shape[1], -kSmall, kSmall),
                                     uniform_weight(name + "_mean", shape[1], -kSmall, kSmall),
                                     uniform_weight(name + "_variance", shape[1], 0.5F, 1.5F)};
  return append("BatchNormalization", name, std::move(inputs), {{"epsilon", options.epsilon}},
                shape);
}

std::string ZooBuilder::relu(const std::string& name, const std::string& x) {
  return append("Relu", name, {x}, {}, shape_of(x));
}

std::string ZooBuilder::relu6(const std::string& name, const std::string& x) {
  for (const auto& [bound, value] : {std::pair("relu6_min", 0.0F), std::pair("relu6_max", 6.0F)}) {
    model_.graph.constants.try_emplace(
        bound, Tensor::of<float>(DataType::kFloat32, {}, std::span(&value, 1)));
  }
  return append("Clip", name, {x, "relu6_min", "relu6_max"}, {}, shape_of(x));
}

std::string ZooBuilder::pool(std::string type, const std::string& name, const std::string& x,
                             const PoolOptions& options) {
  const Shape in = shape_of(x);
  const auto [kernel, stride, pad] = std::tie(options.kernel, options.stride, options.pad);
  Attributes attributes = {
      {"kernel_shape", list(kernel)}, {"strides", list(stride)}, {"pads", both_sides(pad)}};
  if (type == "AveragePool") attributes["count_include_pad"] = int64_t{1};
  return append(std::move(type), name, {x}, std::move(attributes),
                {in[0], in[1], windows(in[2], kernel[0], stride[0], pad[0]),
                 windows(in[3], kernel[1], stride[1], pad[1])});
}

std::string ZooBuilder::max_pool(const std::string& name, const std::string& x,
                                 const PoolOptions& options) {
  return pool("MaxPool", name, x, options);
}

std::string ZooBuilder::average_pool(const std::string& name, const std::string& x,
                                     const PoolOptions& options) {
  return pool("AveragePool", name, x, options);
}

std::string ZooBuilder::global_average_pool(const std::string& name, const std::string& x) {
  const Shape in = shape_of(x);
  return append("GlobalAveragePool", name, {x}, {}, {in[0], in[1], 1, 1});
}

std::string ZooBuilder::add(const std::string& name, const std::string& a, const std::string& b) {
  assert(shape_of(a) == shape_of(b));
  return append("Add", name, {a, b}, {}, shape_of(a));
}

std::string ZooBuilder::concat(const std::string& name, const std::vector<std::string>& parts) {
  Shape shape = shape_of(parts.front());
  shape[1] = 0;
  for (const std::string& part : parts) shape[1] += shape_of(part)[1];
  return append("Concat", name, parts, {{"axis", int64_t{1}}}, std::move(shape));
}

std::string ZooBuilder::dropout(const std::string& name, const std::string& x) {
  return append("Dropout", name, {x}, {}, shape_of(x));
}

std::string ZooBuilder::flatten(const std::string& name, const std::string& x) {
  const Shape in = shape_of(x);
  return append("Flatten", name, {x}, {{"axis", int64_t{1}}}, {in[0], element_count(in) / in[0]});
}

std::string ZooBuilder::softmax(const std::string& name, const std::string& x, int64_t axis) {
  return append("Softmax", name, {x}, {{"axis", axis}}, shape_of(x));
}

std::string ZooBuilder::conv_bn_relu(const std::string& name, const std::string& x,
                                     const ConvOptions& options, const BatchNormOptions& norm) {
  return relu(name + "_relu", batch_norm(name + "_bn", conv(name, x, options), norm));
}

void ZooBuilder::also_output(const std::string& value) {
  Value output;
  output.name = value;
  for (const int64_t extent : shape_of(value)) output.dimensions.push_back({extent, ""});
  model_.graph.outputs.push_back(std::move(output));
}

Model ZooBuilder::finish(const std::string& output) {
  also_output(output);
  return std::move(model_);
}

}  // namespace opbench
