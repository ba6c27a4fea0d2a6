#include "model/zoo/zoo_builder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace opbench {
namespace {

constexpr float kZooBuilderSmall = 0.05F;

/// One number for each of `axes`.
Extents spread(const Extents& extents, size_t axes) {
  return extents.size() == axes ? extents : Extents(axes, extents.at(0));
}

/// Where windows lie along one axis.
struct Windows {
  int64_t begin = 0;  ///< padding
  int64_t end = 0;
  int64_t count = 0;
};

/// Padding `pad` on both sides, or for ceil(extent / stride) windows if `same`.
Windows windows(int64_t extent, int64_t kernel, int64_t stride, int64_t pad, bool same) {
  if (!same) return {pad, pad, (extent + 2 * pad - kernel) / stride + 1};
  const int64_t count = (extent + stride - 1) / stride;
  const int64_t padding = std::max<int64_t>((count - 1) * stride + kernel - extent, 0);
  return {padding / 2, padding - padding / 2, count};
}

template <class Options>
std::vector<Windows> windows_of(const Shape& in, const Options& options) {
  const size_t axes = in.size() - 2;
  const Extents kernel = spread(options.kernel, axes);
  const Extents stride = spread(options.stride, axes);
  const Extents pad = spread(options.pad, axes);
  std::vector<Windows> result;
  for (size_t i = 0; i < axes; ++i) {
    result.push_back(windows(in[2 + i], kernel[i], stride[i], pad[i], options.same));
  }
  return result;
}

/// `shape` with the numbers of windows added.
Shape with_counts(Shape shape, const std::vector<Windows>& windows) {
  for (const Windows& along : windows) shape.push_back(along.count);
  return shape;
}

/// Kernel, strides, pads: begins and ends, as ONNX orders them.
template <class Options>
Attributes attributes_of(const Options& options, const std::vector<Windows>& windows) {
  Extents pads;
  for (const Windows& along : windows) pads.push_back(along.begin);
  for (const Windows& along : windows) pads.push_back(along.end);
  return {{"kernel_shape", spread(options.kernel, windows.size())},
          {"strides", spread(options.stride, windows.size())},
          {"pads", std::move(pads)}};
}

}  // namespace

ZooBuilder::ZooBuilder(std::string model_name, int64_t batch_size, uint64_t seed,
                       ZooWeights weights)
    : batch_size_(batch_size), seed_(seed), weights_(weights) {
  model_.name = std::move(model_name);
  model_.source = "zoo";
  model_.ir_version = 7;
  model_.opset = 13;
  model_.graph.name = model_.name;
}

std::string ZooBuilder::input(const Shape& shape) {
  std::vector<Dimension> whole = {{batch_size_, ""}};
  for (const int64_t extent : shape) whole.push_back({extent, ""});
  return named_input("data", DataType::kFloat32, whole);
}

std::string ZooBuilder::input_rows(int64_t rows, int64_t columns) {
  return named_input("data", DataType::kFloat32, {{batch_size_ * rows, ""}, {columns, ""}});
}

std::string ZooBuilder::named_input(const std::string& name, DataType type,
                                    const std::vector<Dimension>& dimensions) {
  Value value;
  value.name = name;
  value.data_type = type;
  Shape shape;
  for (const Dimension& dimension : dimensions) {
    shape.push_back(dimension.value);
    value.dimensions.push_back(dimension.symbol.empty() ? dimension
                                                        : Dimension{-1, dimension.symbol});
  }
  model_.graph.inputs.push_back(std::move(value));
  shapes_[name] = std::move(shape);
  return name;
}

std::string ZooBuilder::node(std::string type, const std::string& name,
                             std::vector<std::string> inputs, Attributes attributes, Shape shape) {
  const bool added = shapes_.emplace(name, std::move(shape)).second;
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

std::string ZooBuilder::constant(const std::string& name, Tensor tensor) {
  shapes_[name] = tensor.type.shape;
  model_.graph.constants.try_emplace(name, std::move(tensor));
  return name;
}

std::string ZooBuilder::constant(const std::string& name, float value) {
  return constant(name, Tensor::of<float>(DataType::kFloat32, {}, std::span(&value, 1)));
}

std::string ZooBuilder::integers(const std::string& name, const std::vector<int64_t>& values) {
  const auto count = static_cast<int64_t>(values.size());
  return constant(name, Tensor::of<int64_t>(DataType::kInt64, {count},
                                            std::span(values.data(), values.size())));
}

void ZooBuilder::use_opset(int64_t opset) {
  constexpr int64_t kFirstOfIr8 = 15;
  model_.opset = opset;
  model_.ir_version = opset < kFirstOfIr8 ? 7 : 8;
}

Tensor& ZooBuilder::weight(const std::string& name, Shape shape) {
  Tensor& tensor = model_.graph.constants[name];
  const bool has_values = weights_ == ZooWeights::kSeeded || shape.size() < 2;
  tensor.type = {DataType::kFloat32, std::move(shape)};
  tensor.data.resize(has_values ? tensor.type.bytes() : 0);
  parameters_ += tensor.type.size();
  return tensor;
}

std::string ZooBuilder::normal_weight(const std::string& name, Shape shape, int64_t fan_in,
                                      float gain) {
  const float scale = std::sqrt(gain / static_cast<float>(fan_in));
  Tensor& tensor = weight(name, std::move(shape));
  random(name).fill_normal(tensor.as<float>(), scale);
  return name;
}

std::string ZooBuilder::uniform_weight(const std::string& name, Shape shape, float low,
                                       float high) {
  Tensor& tensor = weight(name, std::move(shape));
  random(name).fill_uniform(tensor.as<float>(), low, high);
  return name;
}

Shape ZooBuilder::filter_shape(const std::string& x, const ConvOptions& options) const {
  const Shape& in = shape_of(x);
  Shape filter = {options.channels, in[1] / options.groups};
  for (const int64_t extent : spread(options.kernel, in.size() - 2)) filter.push_back(extent);
  return filter;
}

std::string ZooBuilder::conv(const std::string& name, const std::string& x,
                             const ConvOptions& options) {
  const Shape filter = filter_shape(x, options);
  const int64_t fan_in = element_count(filter) / options.channels;
  std::vector<std::string> inputs = {normal_weight(name + "_weight", filter, fan_in, options.gain)};
  if (options.bias) {
    inputs.push_back(
        uniform_weight(name + "_bias", {options.channels}, -kZooBuilderSmall, kZooBuilderSmall));
  }
  return conv_of(name, x, options, std::move(inputs));
}

std::string ZooBuilder::conv_of(const std::string& name, const std::string& x,
                                const ConvOptions& options, std::vector<std::string> inputs) {
  const Shape in = shape_of(x);
  const auto windows = windows_of(in, options);
  Shape out = with_counts({in[0], options.channels}, windows);
  multiply_adds_ += element_count(out) * element_count(filter_shape(x, options)) / options.channels;
  inputs.insert(inputs.begin(), x);
  Attributes attributes = attributes_of(options, windows);
  attributes["group"] = options.groups;
  return node("Conv", name, std::move(inputs), std::move(attributes), std::move(out));
}

std::string ZooBuilder::dense(const std::string& name, const std::string& x, int64_t units,
                              bool bias) {
  const Shape in = shape_of(x);
  std::vector<std::string> inputs = {x, normal_weight(name + "_weight", {units, in[1]}, in[1])};
  if (bias)
    inputs.push_back(uniform_weight(name + "_bias", {units}, -kZooBuilderSmall, kZooBuilderSmall));
  multiply_adds_ += in[0] * in[1] * units;
  return node("Gemm", name, std::move(inputs), {{"transB", int64_t{1}}}, {in[0], units});
}

std::string ZooBuilder::batch_norm(const std::string& name, const std::string& x,
                                   const BatchNormOptions& options) {
  const Shape shape = shape_of(x);
  const float low = options.scaled ? 0.8F : 1.0F;
  const float high = options.scaled ? 1.2F : 1.0F;
  std::vector<std::string> inputs = {
      x, uniform_weight(name + "_scale", {shape[1]}, low, high),
      uniform_weight(name + "_bias", {shape[1]}, -kZooBuilderSmall, kZooBuilderSmall),
      uniform_weight(name + "_mean", {shape[1]}, -kZooBuilderSmall, kZooBuilderSmall),
      uniform_weight(name + "_variance", {shape[1]}, 0.5F, 1.5F)};
  return node("BatchNormalization", name, std::move(inputs), {{"epsilon", options.epsilon}}, shape);
}

std::string ZooBuilder::relu(const std::string& name, const std::string& x) {
  return node("Relu", name, {x}, {}, shape_of(x));
}

std::string ZooBuilder::relu6(const std::string& name, const std::string& x) {
  return node("Clip", name, {x, constant("relu6_min", 0.0F), constant("relu6_max", 6.0F)}, {},
              shape_of(x));
}

std::string ZooBuilder::pool(std::string type, const std::string& name, const std::string& x,
                             const PoolOptions& options) {
  const Shape in = shape_of(x);
  const auto windows = windows_of(in, options);
  Attributes attributes = attributes_of(options, windows);
  if (type == "AveragePool" && options.counts_padding) {
    attributes["count_include_pad"] = int64_t{1};
  }
  return node(std::move(type), name, {x}, std::move(attributes),
              with_counts({in[0], in[1]}, windows));
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
  Shape shape = shape_of(x);
  std::fill(shape.begin() + 2, shape.end(), 1);
  return node("GlobalAveragePool", name, {x}, {}, std::move(shape));
}

std::string ZooBuilder::add(const std::string& name, const std::string& a, const std::string& b) {
  assert(shape_of(a) == shape_of(b));
  return node("Add", name, {a, b}, {}, shape_of(a));
}

std::string ZooBuilder::concat(const std::string& name, const std::vector<std::string>& parts) {
  Shape shape = shape_of(parts.front());
  shape[1] = 0;
  for (const std::string& part : parts) shape[1] += shape_of(part)[1];
  return node("Concat", name, parts, {{"axis", int64_t{1}}}, std::move(shape));
}

std::string ZooBuilder::dropout(const std::string& name, const std::string& x) {
  return node("Dropout", name, {x}, {}, shape_of(x));
}

std::string ZooBuilder::flatten(const std::string& name, const std::string& x) {
  const Shape in = shape_of(x);
  return node("Flatten", name, {x}, {{"axis", int64_t{1}}}, {in[0], element_count(in) / in[0]});
}

std::string ZooBuilder::softmax(const std::string& name, const std::string& x, int64_t axis) {
  return node("Softmax", name, {x}, {{"axis", axis}}, shape_of(x));
}

std::string ZooBuilder::conv_bn_relu(const std::string& name, const std::string& x,
                                     const ConvOptions& options, const BatchNormOptions& norm) {
  return relu(name + "_relu", batch_norm(name + "_bn", conv(name, x, options), norm));
}

void ZooBuilder::also_output(const std::string& value) {
  Value output;
  output.name = value;
  // Which extents depend on the free ones is not kept.
  const bool has_free = std::ranges::any_of(model_.graph.inputs, [](const Value& input) {
    return std::ranges::any_of(input.dimensions, &Dimension::is_free);
  });
  for (const int64_t extent : shape_of(value)) {
    output.dimensions.push_back(has_free ? Dimension{} : Dimension{extent, ""});
  }
  model_.graph.outputs.push_back(std::move(output));
}

Model ZooBuilder::finish(const std::string& output) {
  also_output(output);
  return std::move(model_);
}

}  // namespace opbench
