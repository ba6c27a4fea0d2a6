#include "model/operators/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/operators/checked_types.h"
#include "model/operators/operator.h"
#include "model/operators/workload_builder.h"

namespace opbench {
namespace {

/// True for constants that belong to what is computed rather than to its data.
bool stays_constant(const OperatorDef* def, size_t index, const Tensor& tensor) {
  if (def == nullptr || tensor.type.shape.size() > 1) return false;
  if (std::ranges::find(def->parameters, index) != def->parameters.end()) return true;
  return def->fusion == FusionRole::kElementwise && tensor.type.size() == 1;
}

/// One node on its way from a model into a workload.
struct ModernNode {
  Node node;
  std::map<std::string, Tensor> constants;  ///< operands that its modern form added
};

ModernNode modern(const Graph& graph, const Node& node, int64_t opset) {
  ModernNode result{node, {}};
  const OperatorDef* def = operator_of(node);
  if (def == nullptr || def->modern_form == nullptr) return result;
  result.node = def->modern_form(call_of(node, graph, opset), result.constants);
  return result;
}

/// Puts the result of the step before first where the order of operands means nothing, so that
/// equal computations have equal texts.
void order_operands(Node& node, const std::string& previous) {
  static const std::set<std::string> kCommutative = {"Add", "And", "Equal", "Max", "Mean",
                                                     "Min", "Mul", "Or",    "Sum", "Xor"};
  if (previous.empty() || !kCommutative.contains(node.type)) return;
  std::stable_partition(node.inputs.begin(), node.inputs.end(),
                        [&](const std::string& input) { return input == previous; });
}

/// Gives operand `index` of a node its name in the workload; `operands` notes what enters it.
void place_operand(const Graph& graph, const std::map<std::string, Tensor>& added, Node& node,
                   size_t index, WorkloadBuilder& builder, std::vector<std::string>& operands) {
  std::string& input = node.inputs[index];
  const auto own = added.find(input);
  const auto constant = graph.constants.find(input);
  const bool is_constant = constant != graph.constants.end();
  if (own != added.end()) {
    input = builder.add_constant(own->second);
  } else if (is_constant && stays_constant(operator_of(node), index, constant->second)) {
    input = builder.add_constant(constant->second);
  } else {
    operands.push_back(input);
    input =
        builder.add_input(is_constant ? constant->second.type : graph.types.at(input), is_constant);
  }
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

bool Workload::is_weight(const std::string& name) const {
  return std::ranges::find(weights, name) != weights.end();
}

Workload workload_of(const Graph& graph, const std::vector<size_t>& indices, int64_t opset,
                     std::vector<std::string>& operands) {
  WorkloadBuilder builder;
  std::string result_before;
  operands.clear();
  for (size_t step = 0; step < indices.size(); ++step) {
    auto [node, constants] = modern(graph, graph.nodes[indices[step]], opset);
    const std::string result = node.outputs.at(0);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i].empty()) continue;
      if (step > 0 && node.inputs[i] == result_before) {
        node.inputs[i] = builder.previous();
      } else {
        place_operand(graph, constants, node, i, builder, operands);
      }
    }
    const bool is_last = step + 1 == indices.size();
    const auto added = builder.add_node(std::move(node), is_last);
    if (!added && is_last) builder.set_output(graph.types.at(result));
    result_before = result;
  }
  return std::move(builder).take();
}

double flops_of(const Workload& workload) {
  double sum = 0;
  for (const Node& node : workload.graph.nodes) {
    const OperatorDef* def = operator_of(node);
    if (def == nullptr) continue;
    const OperatorCall call = call_of(node, workload.graph, workload.opset);
    sum += def->flops(call, {workload.graph.types.at(node.outputs[0])});
  }
  return sum;
}

double bytes_of(const Workload& workload) {
  const Graph& graph = workload.graph;
  double sum = 0;
  for (const Value& value : graph.inputs) {
    sum += static_cast<double>(graph.types.at(value.name).bytes());
  }
  for (const Value& value : graph.outputs) {
    sum += static_cast<double>(graph.types.at(value.name).bytes());
  }
  for (const auto& [name, tensor] : graph.constants) {
    sum += static_cast<double>(tensor.type.bytes());
  }
  return sum;
}

Result<Tensor> run_reference(const Workload& workload, const std::vector<Tensor>& inputs) {
  const Graph& graph = workload.graph;
  if (inputs.size() != graph.inputs.size()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"{}\" takes {} operands, got {}", text_of(workload),
                             graph.inputs.size(), inputs.size())};
  }
  std::map<std::string, const Tensor*> values;
  for (size_t i = 0; i < inputs.size(); ++i) values[graph.inputs[i].name] = &inputs[i];
  for (const auto& [name, tensor] : graph.constants) values[name] = &tensor;
  std::map<std::string, Tensor> made;
  for (const Node& node : graph.nodes) {
    const OperatorDef* def = operator_of(node);
    if (def == nullptr) return unknown_name("operator", node.type, {});
    OperatorCall call = call_of(node, graph, workload.opset);
    std::vector<TensorView> in;
    for (const std::string& input : node.inputs) {
      if (input.empty()) {
        in.emplace_back();
        continue;
      }
      const Tensor& tensor = *values.at(input);
      in.push_back({tensor.type, const_cast<std::byte*>(tensor.data.data())});
    }
    const std::string& output = node.outputs[0];
    Tensor& result = made[output] = Tensor::empty(graph.types.at(output));
    const std::vector<TensorView> out{{result.type, result.data.data()}};
    OPBENCH_CHECK(def->run(call, in, out));
    values[output] = &result;
  }
  return std::move(made.at("y"));
}

}  // namespace opbench
