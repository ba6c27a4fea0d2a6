#include "kernels/schedules/operands/anchor_operand.h"

#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"

namespace opbench {

bool has_operand(const KernelSpec& spec, size_t operand) {
  const Node& node = anchor_of(spec);
  return operand < node.inputs.size() && !node.inputs[operand].empty();
}

bool is_readable(const KernelSpec& spec, size_t operand) {
  if (!has_operand(spec, operand)) return false;
  const std::string& name = anchor_of(spec).inputs[operand];
  if (type_of(spec.workload, name).data_type != DataType::kFloat32) return false;
  const std::optional<size_t> index = input_index(spec.workload, 0, operand);
  return index ? spec.layouts[*index].block == 0 : spec.workload.graph.constants.contains(name);
}

Halide::Expr operand_value(const KernelSpec& spec, KernelBuilder& builder, size_t operand,
                           const std::vector<Halide::Expr>& position) {
  if (const std::optional<size_t> index = input_index(spec.workload, 0, operand))
    return builder.operand(*index)(position);
  const Tensor& constant = spec.workload.graph.constants.at(anchor_of(spec).inputs[operand]);
  std::vector<int> extents(constant.type.shape.rbegin(), constant.type.shape.rend());
  Halide::Buffer<float> buffer(extents);
  std::ranges::copy(constant.as<float>(), buffer.begin());
  return buffer(position);
}

}  // namespace opbench
