#include "model/operators/workload_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/operators/checked_types.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

/// Puts the result of the step before first where the order of operands means nothing, so that
/// equal computations have equal texts.
void order_operands(Node& node, const std::string& previous) {
  static const std::set<std::string> kCommutative = {"Add", "And", "Equal", "Max", "Mean",
                                                     "Min", "Mul", "Or",    "Sum", "Xor"};
  if (previous.empty() || !kCommutative.contains(node.type)) return;
  std::stable_partition(node.inputs.begin(), node.inputs.end(),
                        [&](const std::string& input) { return input == previous; });
}

}  // namespace

WorkloadBuilder::WorkloadBuilder() { workload_.opset = kWorkloadOpset; }

std::string WorkloadBuilder::add_input(const TensorType& type, bool is_weight) {
  std::string name = fmt::format("x{}", count_++);
  Value value{name, type.data_type, true, {}};
  for (const int64_t extent : type.shape) value.dimensions.push_back({extent, {}});
  workload_.graph.inputs.push_back(std::move(value));
  workload_.graph.types[name] = type;
  if (is_weight) workload_.weights.push_back(name);
  return name;
}

std::string WorkloadBuilder::add_constant(Tensor tensor) {
  std::string name = fmt::format("x{}", count_++);
  workload_.graph.types[name] = tensor.type;
  workload_.graph.constants.emplace(name, std::move(tensor));
  return name;
}

Result<void> WorkloadBuilder::add_node(Node node, bool is_last) {
  const std::string output =
      is_last ? std::string("y") : fmt::format("t{}", workload_.graph.nodes.size());
  while (!node.inputs.empty() && node.inputs.back().empty()) node.inputs.pop_back();
  order_operands(node, previous());
  node.name = word_of(node);
  node.outputs = {output};
  const OperatorDef* def = operator_of(node);
  if (def != nullptr) {
    const OperatorCall call = call_of(node, workload_.graph, kWorkloadOpset);
    OPBENCH_TRY(const auto types, checked_types(*def, call));
    node.attributes = normal_attributes(call);
    workload_.graph.types[output] = types.at(0);
  }
  if (is_last) set_output(workload_.graph.types[output]);
  if (node.type == "Gelu" || node.type == "Mish") workload_.opset = kLatestOpset;
  workload_.graph.nodes.push_back(std::move(node));
  return {};
}

void WorkloadBuilder::set_output(const TensorType& type) {
  Value value{"y", type.data_type, true, {}};
  for (const int64_t extent : type.shape) value.dimensions.push_back({extent, {}});
  workload_.graph.types["y"] = type;
  workload_.graph.outputs = {std::move(value)};
}

std::string WorkloadBuilder::previous() const {
  return workload_.graph.nodes.empty() ? "" : workload_.graph.nodes.back().outputs[0];
}

}  // namespace opbench
