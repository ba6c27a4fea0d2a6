#include "kernels/schedules/convolution/conv_geometry.h"

#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/narrow.h"

namespace opbench {
namespace {

using Halide::Expr;

std::vector<int64_t> inner_first(std::vector<int64_t> values, size_t count) {
  values.resize(count);
  std::ranges::reverse(values);
  return values;
}

}  // namespace

std::optional<ConvGeometry> conv_geometry(const Workload& workload) {
  const Node& node = workload.graph.nodes[0];
  if (node.type != "Conv" || !node.domain.empty() || node.inputs.size() < 2) return std::nullopt;
  if (string_attribute(node, "auto_pad", "NOTSET") != "NOTSET") return std::nullopt;
  for (const std::string& name : node.inputs)
    if (!name.empty() && type_of(workload, name).data_type != DataType::kFloat32)
      return std::nullopt;
  ConvGeometry g;
  g.input = type_of(workload, node.inputs[0]).shape;
  g.weight = type_of(workload, node.inputs[1]).shape;
  g.output = type_of(workload, node.outputs[0]).shape;
  if (g.input.size() < 3 || g.input.size() > 5 || element_count(g.output) == 0) return std::nullopt;
  const size_t rank = g.input.size() - 2;
  const std::vector<int64_t> ones(rank, 1);
  g.groups = int_attribute(node, "group", 1);
  g.kernel = inner_first({g.weight.begin() + 2, g.weight.end()}, rank);
  g.extent = inner_first({g.input.begin() + 2, g.input.end()}, rank);
  g.stride = inner_first(ints_attribute(node, "strides", ones), rank);
  g.dilation = inner_first(ints_attribute(node, "dilations", ones), rank);
  g.pad = inner_first(ints_attribute(node, "pads", std::vector<int64_t>(2 * rank, 0)), rank);
  return g;
}

Halide::Expr conv_operand(const KernelSpec& spec, KernelBuilder& builder, size_t operand,
                          std::vector<Expr> at) {
  const std::optional<size_t> index = input_index(spec.workload, 0, operand);
  if (!index) {
    const std::string& name = spec.workload.graph.nodes[0].inputs[operand];
    const Tensor& constant = spec.workload.graph.constants.at(name);
    Expr offset = 0;
    int64_t stride = 1;
    for (size_t i = 0; i < at.size(); ++i) {
      offset = offset + at[i] * narrow(stride);
      stride *= constant.type.shape[at.size() - 1 - i];
    }
    const auto values = constant.as<float>();
    return Halide::mux(offset, std::vector<Expr>(values.begin(), values.end()));
  }
  const int block = spec.layouts[*index].block;
  if (block > 0) {
    const Expr channel = at[at.size() - 2];
    at[at.size() - 2] = channel / block;
    at.insert(at.begin(), channel % block);
  }
  return builder.operand(*index)(at);
}

Result<Tensor> pack_conv_operand(const KernelSpec& spec, size_t index, const Tensor& weight) {
  for (size_t operand = 0; operand < 3; ++operand) {
    if (input_index(spec.workload, 0, operand) == index) return weight;
  }
  return pack_epilogue_weight(spec, index, weight);
}

}  // namespace opbench
