#include "model/operators/workloads/workload_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/operators/checked_types.h"
#include "model/operators/operand.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

/// Puts the result of the step before first where the order of operands means nothing, so that
/// equal computations have equal texts.
void order_operands(Node& node, const std::string& previous) {
  static const std::set<std::string> kCommutative = {
      "Add", "And", "Equal", "Max",        "Mean",      "Min",       "Mul",
      "Or",  "Sum", "Xor",   "BitwiseAnd", "BitwiseOr", "BitwiseXor"};
  if (previous.empty() || !kCommutative.contains(node.type)) return;
  std::stable_partition(node.inputs.begin(), node.inputs.end(),
                        [&](const std::string& input) { return input == previous; });
}

std::string further_output(size_t index) { return fmt::format("y{}", index); }

void name_outputs(Node& node, const std::string& first, bool has_further) {
  if (node.outputs.empty() || !has_further) node.outputs.resize(1);
  while (node.outputs.size() > 1 && node.outputs.back().empty()) node.outputs.pop_back();
  node.outputs[0] = first;
  for (size_t i = 1; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) node.outputs[i] = further_output(i);
  }
}

Value workload_builder_value_of(const std::string& name, const TensorType& type) {
  Value value{name, type.data_type, true, {}};
  for (const int64_t extent : type.shape) value.dimensions.push_back({extent, {}});
  return value;
}

}  // namespace

WorkloadBuilder::WorkloadBuilder() { workload_.opset = kWorkloadOpset; }

std::string WorkloadBuilder::add_input(const TensorType& type, bool is_weight) {
  std::string name = fmt::format("x{}", count_++);
  workload_.graph.inputs.push_back(workload_builder_value_of(name, type));
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
  name_outputs(node, output, is_last);
  const OperatorDef* def = operator_of(node);
  std::vector<TensorType> types(node.outputs.size());
  if (def != nullptr) {
    const OperatorCall call = call_of(node, workload_.graph, kWorkloadOpset);
    OPBENCH_TRY(types, checked_types(*def, call));
    if (types.size() < node.outputs.size()) return misfit(call, "has no such output");
    node.attributes = normal_attributes(call);
    workload_.graph.types[output] = types.at(0);
  }
  if (is_last) set_output(workload_.graph.types[output]);
  for (size_t i = 1; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) add_output(i, types[i]);
  }
  if (def != nullptr && def->least_opset != nullptr) {
    workload_.opset = std::max(workload_.opset, def->least_opset(node));
  }
  workload_.graph.nodes.push_back(std::move(node));
  return {};
}

void WorkloadBuilder::set_output(const TensorType& type) {
  workload_.graph.types["y"] = type;
  workload_.graph.outputs = {workload_builder_value_of("y", type)};
}

void WorkloadBuilder::add_output(size_t index, const TensorType& type) {
  const std::string name = further_output(index);
  workload_.graph.types[name] = type;
  workload_.graph.outputs.push_back(workload_builder_value_of(name, type));
}

std::string WorkloadBuilder::previous() const {
  return workload_.graph.nodes.empty() ? "" : workload_.graph.nodes.back().outputs[0];
}

}  // namespace opbench
