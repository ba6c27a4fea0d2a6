#include "kernels/schedules/rows/concat_parts.h"

#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/workload_operands.h"

namespace opbench {
namespace {

constexpr size_t kConcatMostParts = 64;

/// True if the part is computed at run time, in the output's layout; every part but the last fills
/// its blocks when they are joined along the channels.
bool takes_part(const KernelSpec& spec, size_t operand) {
  const Node& node = anchor_of(spec);
  const std::optional<size_t> index = input_index(spec.workload, 0, operand);
  if (!index || anchor_type(spec, operand).data_type != DataType::kFloat32) return false;
  const Layout layout = spec.output_layout();
  if (spec.layouts[*index] != layout) return false;
  if (layout.block == 0) return true;
  if (spec.workload.is_weight(node.inputs[operand])) return false;
  const bool is_last = operand + 1 == node.inputs.size();
  return concat_axis_of(spec) != 1 || is_last ||
         anchor_type(spec, operand).shape[1] % layout.block == 0;
}

}  // namespace

size_t concat_axis_of(const KernelSpec& spec) {
  const size_t rank = anchor_type(spec, 0).shape.size();
  const int64_t axis = normal_axis(int_attribute(anchor_of(spec), "axis", 1), rank);
  return axis < 0 ? rank : static_cast<size_t>(axis);
}

bool is_concat(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_anchor(spec, "Concat")) return false;
  const Node& node = anchor_of(spec);
  if (node.inputs.size() > kConcatMostParts ||
      concat_axis_of(spec) >= anchor_type(spec, 0).shape.size())
    return false;
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (!takes_part(spec, i)) return false;
  return true;
}

}  // namespace opbench
