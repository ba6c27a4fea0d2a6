#include "kernels/schedules/convolution/convolution_shape.h"

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"

namespace opbench {
namespace {

bool is_known(const Workload& workload, const Node& node, size_t operand) {
  const std::string& name = node.inputs[operand];
  return workload.is_weight(name) || workload.graph.constants.contains(name);
}

bool has_known_weights(const Workload& workload, const Node& node) {
  if (!workload.is_weight(node.inputs[1])) return false;
  return node.inputs.size() < 3 || node.inputs[2].empty() || is_known(workload, node, 2);
}

}  // namespace

bool ConvolutionShape::pads_rows() const {
  const int64_t last = (out_height - 1) * stride_h + (kernel_h - 1) * dilation_h - pad_top;
  return pad_top > 0 || last >= height;
}

bool ConvolutionShape::pads_columns() const {
  const int64_t last = (out_width - 1) * stride_w + (kernel_w - 1) * dilation_w - pad_left;
  return pad_left > 0 || last >= width;
}

std::optional<ConvolutionShape> convolution_extents(const Workload& workload, size_t image,
                                                    size_t filters) {
  const Node& node = workload.graph.nodes[0];
  if (node.inputs.size() <= std::max(image, filters)) return std::nullopt;
  if (string_attribute(node, "auto_pad", "NOTSET") != "NOTSET") return std::nullopt;
  const Shape& data = type_of(workload, node.inputs[image]).shape;
  const Shape& weight = type_of(workload, node.inputs[filters]).shape;
  const Shape& output = type_of(workload, node.outputs[0]).shape;
  if (data.size() != 4 || weight.size() != 4) return std::nullopt;
  const auto strides = ints_attribute(node, "strides", {1, 1});
  const auto dilations = ints_attribute(node, "dilations", {1, 1});
  const auto pads = ints_attribute(node, "pads", {0, 0, 0, 0});
  if (std::ranges::any_of(pads, [](int64_t pad) { return pad < 0; })) return std::nullopt;
  if (element_count(output) == 0) return std::nullopt;
  return ConvolutionShape{
      .batch = data[0],
      .channels = data[1],
      .height = data[2],
      .width = data[3],
      .out_channels = output[1],
      .out_height = output[2],
      .out_width = output[3],
      .groups = int_attribute(node, "group", 1),
      .kernel_h = weight[2],
      .kernel_w = weight[3],
      .stride_h = strides[0],
      .stride_w = strides[1],
      .dilation_h = dilations[0],
      .dilation_w = dilations[1],
      .pad_top = pads[0],
      .pad_left = pads[1],
  };
}

std::optional<ConvolutionShape> convolution_shape(const Workload& workload) {
  const Node& node = workload.graph.nodes[0];
  if (node.type != "Conv" || !node.domain.empty() || node.inputs.size() < 2) return std::nullopt;
  if (!graph_input(workload, node.inputs[0]) || workload.is_weight(node.inputs[0]))
    return std::nullopt;
  for (const size_t operand : {0, 1})
    if (type_of(workload, node.inputs[operand]).data_type != DataType::kFloat32)
      return std::nullopt;
  if (!has_known_weights(workload, node)) return std::nullopt;
  return convolution_extents(workload, 0, 1);
}

Layout input_layout(const KernelSpec& spec) {
  const std::optional<size_t> index = input_index(spec.workload, 0, 0);
  return index ? spec.layouts[*index] : Layout{};
}

Tensor pack_bias(const Tensor& bias, int64_t block) {
  const auto from = bias.as<float>();
  const int64_t size = ceil_div(static_cast<int64_t>(from.size()), block) * block;
  Tensor packed = Tensor::empty({DataType::kFloat32, {size}});
  const auto to = packed.as<float>();
  std::ranges::fill(to, 0.0f);
  std::ranges::copy(from, to.begin());
  return packed;
}

WeightView weight_view(const Tensor& weight) {
  const Shape& shape = weight.type.shape;
  return {weight.as<float>().data(), shape[0], shape[1], shape[2], shape[3]};
}

}  // namespace opbench
