#include "kernels/schedules/operands/workload_operands.h"

#include <algorithm>

namespace opbench {

const TensorType& type_of(const Workload& workload, const std::string& name) {
  return workload.graph.types.at(name);
}

const TensorType& output_type(const Workload& workload) {
  return type_of(workload, workload.graph.outputs[0].name);
}

std::optional<size_t> graph_input(const Workload& workload, const std::string& name) {
  const std::vector<Value>& inputs = workload.graph.inputs;
  const auto it = std::ranges::find(inputs, name, &Value::name);
  if (it == inputs.end()) return std::nullopt;
  return static_cast<size_t>(it - inputs.begin());
}

std::optional<size_t> input_index(const Workload& workload, size_t step, size_t operand) {
  const std::vector<std::string>& names = workload.graph.nodes[step].inputs;
  if (operand >= names.size() || names[operand].empty()) return std::nullopt;
  return graph_input(workload, names[operand]);
}

}  // namespace opbench
