#include "kernels/schedules/operands/epilogue_operand.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "kernels/schedules/expressions/elementwise_expr.h"
#include "kernels/schedules/expressions/typed_expr.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/workload_operands.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

using Halide::Expr;

/// The output's logical coordinates, outermost first, from its position in Halide's order.
std::vector<Expr> logical_position(const KernelSpec& spec, const std::vector<Expr>& position) {
  std::vector<Expr> logical(position.rbegin(), position.rend());
  const int64_t block = spec.output_layout().block;
  if (block == 0 || output_type(spec.workload).shape.size() < 2) return logical;
  logical[1] = logical[1] * narrow(block) + logical.back();
  logical.pop_back();
  return logical;
}

bool is_epilogue_operand_blocked(const Shape& shape, Layout layout) {
  return layout.block > 0 && shape.size() >= 2;
}

/// `shape` with ones in front up to `rank`.
Shape aligned(const Shape& shape, size_t rank) {
  Shape result(rank - std::min(rank, shape.size()), 1);
  result.insert(result.end(), shape.begin(), shape.end());
  return result;
}

bool broadcasts(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  const Shape full = aligned(from, to.size());
  for (size_t i = 0; i < to.size(); ++i)
    if (full[i] != 1 && full[i] != to[i]) return false;
  return true;
}

/// True for a QuantizeLinear or DequantizeLinear between float32 and integers that expressions
/// know, with one scale, or one for each index of the last axis.
bool is_known_scaling(const KernelSpec& spec, const Node& node) {
  const auto type = [&](const std::string& name) { return type_of(spec.workload, name); };
  const DataType from = type(node.inputs[0]).data_type;
  const DataType to = type(node.outputs[0]).data_type;
  const bool is_quantize = node.type == "QuantizeLinear";
  const bool has_types =
      is_quantize ? from == DataType::kFloat32 && is_byte(to)
                  : to == DataType::kFloat32 && (is_byte(from) || from == DataType::kInt32);
  const TensorType scale = type(node.inputs[1]);
  if (!has_types || scale.data_type != DataType::kFloat32) return false;
  if (scale.size() == 1) return true;
  const auto rank = static_cast<int64_t>(type(node.inputs[0]).shape.size());
  const int64_t axis = int_attribute(node, "axis", 1);
  const bool is_last = axis == rank - 1 || axis == -1;
  return is_last && int_attribute(node, "block_size", 0) == 0;
}

/// True for a sum of quantised tensors, each with one scale.
bool is_known_sum(const KernelSpec& spec, const Node& node) {
  const auto type = [&](size_t operand) { return type_of(spec.workload, node.inputs[operand]); };
  const bool has_float_scales = std::ranges::all_of(std::array<size_t, 3>{1, 4, 6}, [&](size_t at) {
    return type(at).data_type == DataType::kFloat32 && type(at).size() == 1;
  });
  return is_byte(type(0).data_type) && has_float_scales;
}

/// True for a Clip of bytes to two bounds.
bool clips_bytes(const KernelSpec& spec, const Node& node) {
  return node.type == "Clip" && node.inputs.size() == 3 && !node.inputs[1].empty() &&
         std::ranges::all_of(node.inputs, [&](const std::string& name) {
           return is_byte(type_of(spec.workload, name).data_type);
         });
}

bool has_known_types(const KernelSpec& spec, const Node& node) {
  if (node.type == "QLinearAdd") return is_known_sum(spec, node);
  if (clips_bytes(spec, node)) return true;
  if (node.type == "QuantizeLinear" || node.type == "DequantizeLinear")
    return is_known_scaling(spec, node);
  const auto is_float = [&](const std::string& name) {
    return name.empty() || type_of(spec.workload, name).data_type == DataType::kFloat32;
  };
  return std::ranges::all_of(node.inputs, is_float) && is_float(node.outputs[0]);
}

/// Other types than float32 and bytes have no blocked layouts.
bool is_typed_step(const KernelSpec& spec, const Node& node) {
  std::vector<DataType> operands;
  for (const std::string& name : node.inputs) {
    if (name.empty()) return false;
    operands.push_back(type_of(spec.workload, name).data_type);
  }
  const DataType result = type_of(spec.workload, node.outputs[0]).data_type;
  return has_typed_expr(node, operands, result) &&
         std::ranges::all_of(spec.layouts, [](Layout layout) { return layout.block == 0; });
}

bool is_known_step(const KernelSpec& spec, const Node& node) {
  return is_float_step(spec, node) || is_typed_step(spec, node);
}

bool can_read(const KernelSpec& spec, const std::string& name) {
  const Workload& workload = spec.workload;
  const TensorType& type = type_of(workload, name);
  if (!broadcasts(type.shape, output_type(workload).shape)) return false;
  const std::optional<size_t> index = graph_input(workload, name);
  if (!index) return workload.graph.constants.contains(name) && has_immediates(type.data_type);
  const std::vector<std::string>& first = workload.graph.nodes[0].inputs;
  const bool is_anchor_weight =
      workload.is_weight(name) && std::ranges::find(first, name) != first.end();
  if (is_anchor_weight && !is_known_step(spec, workload.graph.nodes[0])) return false;
  return spec.layouts[*index].block == 0 || type.shape.size() == output_type(workload).shape.size();
}

bool can_compute(const KernelSpec& spec, size_t step) {
  const std::vector<Node>& nodes = spec.workload.graph.nodes;
  const Node& node = nodes[step];
  if (!is_known_step(spec, node)) return false;
  const Shape& result = type_of(spec.workload, node.outputs[0]).shape;
  if (result != output_type(spec.workload).shape) return false;
  return std::ranges::all_of(node.inputs, [&](const std::string& name) {
    return name.empty() || (step > 0 && name == nodes[step - 1].outputs[0]) || can_read(spec, name);
  });
}

}  // namespace

bool is_float_step(const KernelSpec& spec, const Node& node) {
  return has_elementwise_expr(node) && has_known_types(spec, node);
}

EpilogueOperand epilogue_operand(const KernelSpec& spec, size_t index) {
  const Value& input = spec.workload.graph.inputs[index];
  const Shape& shape = type_of(spec.workload, input.name).shape;
  if (!spec.workload.is_weight(input.name))
    return {.layout = spec.layouts[index], .extents = physical_shape(shape, spec.layouts[index])};
  const Layout output = spec.output_layout();
  const size_t rank = output_type(spec.workload).shape.size();
  if (output.block == 0 || rank < 2) return {.is_packed = true, .layout = {}, .extents = shape};
  const Shape full = aligned(shape, rank);
  const Layout layout = full[1] > 1 ? output : Layout{};
  return {.is_packed = true,
          .layout = layout,
          .extents = layout.block > 0 ? physical_shape(full, layout) : shape};
}

std::vector<Expr> operand_position(const KernelSpec& spec, const Shape& shape, Layout layout,
                                   const std::vector<Expr>& position) {
  const std::vector<Expr> logical = logical_position(spec, position);
  const size_t rank = logical.size();
  const Layout output = spec.output_layout();
  Shape full = is_epilogue_operand_blocked(shape, layout) || shape.size() == rank
                   ? aligned(shape, rank)
                   : shape;
  const size_t offset = rank - full.size();
  std::vector<Expr> result;
  for (size_t i = 0; i < full.size(); ++i)
    result.push_back(full[i] == 1 ? Expr(0) : logical[i + offset]);
  const bool has_channels = rank >= 2 && full.size() + 1 >= rank && full[1 - offset] > 1;
  if (is_epilogue_operand_blocked(full, layout)) {
    const Expr channel = result[1];
    const int block = narrow(layout.block);
    const bool is_same = layout == output && has_channels;
    result.push_back(is_same ? position.front() : channel % block);
    result[1] = is_same ? position[position.size() - 2] : channel / block;
  } else if (has_channels && output.block > 0) {
    Expr& channel = result[1 - offset];
    if (full[1 - offset] % output.block != 0)
      channel = Halide::min(channel, narrow(full[1 - offset] - 1));
  }
  std::ranges::reverse(result);
  return result;
}

Expr constant_value(const KernelSpec& spec, const Tensor& constant,
                    const std::vector<Expr>& position) {
  const std::vector<Expr> values = immediates(constant);
  const std::vector<Expr> at = operand_position(spec, constant.type.shape, {}, position);
  Expr offset = 0;
  int64_t stride = 1;
  for (size_t i = 0; i < at.size(); ++i) {
    offset = offset + at[i] * narrow(stride);
    stride *= constant.type.shape[constant.type.shape.size() - 1 - i];
  }
  return values.size() == 1 ? values[0] : Halide::mux(offset, values);
}

bool can_epilogue(const KernelSpec& spec, size_t first_step) {
  const std::vector<Node>& nodes = spec.workload.graph.nodes;
  const size_t steps = nodes.size();
  const bool has_anchor = first_step > 0 && first_step < steps;
  if (has_anchor && type_of(spec.workload, nodes[first_step - 1].outputs[0]).shape !=
                        output_type(spec.workload).shape)
    return false;
  for (size_t step = first_step; step < steps; ++step)
    if (!can_compute(spec, step)) return false;
  return true;
}

Result<Tensor> pack_epilogue_weight(const KernelSpec& spec, size_t index, const Tensor& weight) {
  const EpilogueOperand form = epilogue_operand(spec, index);
  if (form.layout.block == 0) return weight;
  const Shape full = aligned(weight.type.shape, output_type(spec.workload).shape.size());
  const int64_t block = form.layout.block;
  const int64_t channels = full[1];
  const int64_t inner = element_count(full) / (full[0] * channels);
  Tensor packed = Tensor::empty({weight.type.data_type, form.extents});
  const size_t bytes = size_of(weight.type.data_type);
  const int64_t padded = form.extents[1] * block;
  for (int64_t n = 0; n < full[0]; ++n)
    for (int64_t c = 0; c < padded; ++c)
      for (int64_t i = 0; i < inner; ++i) {
        const int64_t source = (n * channels + std::min(c, channels - 1)) * inner + i;
        const int64_t target = ((n * (padded / block) + c / block) * inner + i) * block + c % block;
        std::memcpy(packed.data.data() + static_cast<size_t>(target) * bytes,
                    weight.data.data() + static_cast<size_t>(source) * bytes, bytes);
      }
  return packed;
}

}  // namespace opbench
