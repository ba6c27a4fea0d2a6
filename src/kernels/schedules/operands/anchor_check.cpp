#include "kernels/schedules/operands/anchor_check.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/node_type.h"

namespace opbench {
namespace {

bool is_usable(const TensorType& type) {
  return type.size() > 0 && type.size() <= std::numeric_limits<int32_t>::max() / 4;
}

bool is_narrow_integer(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8 || type == DataType::kInt32;
}

bool has_one_result(const Node& node) {
  return std::count_if(node.outputs.begin(), node.outputs.end(),
                       [](const std::string& name) { return !name.empty(); }) == 1;
}

}  // namespace

const Node& anchor_of(const KernelSpec& spec) { return spec.workload.graph.nodes[0]; }

const TensorType& anchor_type(const KernelSpec& spec, size_t operand) {
  return type_of(spec.workload, anchor_of(spec).inputs[operand]);
}

const TensorType& anchor_result(const KernelSpec& spec) {
  return type_of(spec.workload, anchor_of(spec).outputs[0]);
}

Layout anchor_layout(const KernelSpec& spec, size_t operand) {
  const std::optional<size_t> index = input_index(spec.workload, 0, operand);
  return index ? spec.layouts[*index] : Layout{};
}

bool takes_anchor(const KernelSpec& spec, const std::string& type) {
  return takes_moving_anchor(spec, type) && anchor_type(spec, 0).data_type == DataType::kFloat32 &&
         anchor_result(spec).data_type == DataType::kFloat32;
}

bool takes_integer_anchor(const KernelSpec& spec, const std::string& type) {
  return takes_moving_anchor(spec, type) && is_narrow_integer(anchor_type(spec, 0).data_type) &&
         is_narrow_integer(anchor_result(spec).data_type);
}

bool takes_moving_anchor(const KernelSpec& spec, const std::string& type) {
  const std::vector<Node>& nodes = spec.workload.graph.nodes;
  const Node& anchor = nodes[0];
  if (full_type(anchor) != type || anchor.inputs.empty()) return false;
  if (!has_one_result(anchor) || !input_index(spec.workload, 0, 0)) return false;
  if (!is_usable(anchor_type(spec, 0)) || !is_usable(anchor_result(spec))) return false;
  const DataType result_type = anchor_result(spec).data_type;
  if (result_type != DataType::kFloat32 && !is_narrow_integer(result_type)) return false;
  for (size_t step = 1; step < nodes.size(); ++step)
    if (std::ranges::find(nodes[step].inputs, anchor.inputs[0]) != nodes[step].inputs.end())
      return false;
  return can_epilogue(spec);
}

bool is_plain(const KernelSpec& spec) {
  return anchor_layout(spec, 0).block == 0 && spec.output_layout().block == 0;
}

bool is_blocked(const KernelSpec& spec) {
  const int lanes = float_lanes(spec.target);
  return anchor_layout(spec, 0).block == lanes && spec.output_layout().block == lanes;
}

int64_t product(const Shape& shape, size_t first, size_t last) {
  int64_t result = 1;
  for (size_t i = first; i < last; ++i) result *= shape[i];
  return result;
}

int64_t normal_axis(int64_t axis, size_t rank) {
  const auto extent = static_cast<int64_t>(rank);
  const int64_t result = axis < 0 ? axis + extent : axis;
  return result >= 0 && result < extent ? result : -1;
}

}  // namespace opbench
