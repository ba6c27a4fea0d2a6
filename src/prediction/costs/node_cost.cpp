#include "prediction/costs/node_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/operators/operator.h"

namespace opbench {
namespace {

/// Values that the nodes make.
std::set<std::string> made_by(const Graph& graph, const std::vector<size_t>& nodes) {
  std::set<std::string> made;
  for (const size_t index : nodes) {
    made.insert(graph.nodes[index].outputs.begin(), graph.nodes[index].outputs.end());
  }
  made.erase("");
  return made;
}

bool is_folded(const Node& node, const std::set<std::string>& made) {
  return node.type == "BatchNormalization" && made.contains(node.inputs.front());
}

}  // namespace

NodeCosts::NodeCosts(const Model& model)
    : graph_(model.graph), opset_(model.opset), readers_(consumers_of(model.graph)) {
  for (size_t i = 0; i < graph_.nodes.size(); ++i) index_.emplace(graph_.nodes[i].name, i);
}

Result<NodeCost> NodeCosts::of(const std::vector<std::string>& names) const {
  if (names.empty()) return invalid_input("it stands for no node of the model");
  OPBENCH_TRY(const std::vector<size_t> nodes, indices_of(names));
  const std::set<std::string> made = made_by(graph_, nodes);
  std::set<std::string> moved;
  NodeCost cost;
  for (const size_t index : nodes) {
    const Node& node = graph_.nodes[index];
    OPBENCH_TRY(const double flops, flops_of_node(node));
    if (!is_folded(node, made)) cost.flops += flops;
    for (const std::string& input : node.inputs) {
      if (!input.empty() && !made.contains(input)) moved.insert(input);
    }
  }
  for (const std::string& value : made) {
    const auto readers = readers_.find(value);
    const bool is_read_outside =
        readers != readers_.end() && std::ranges::any_of(readers->second, [&](size_t reader) {
          return std::ranges::count(nodes, reader) == 0;
        });
    if (is_read_outside || is_output(graph_, value)) moved.insert(value);
  }
  for (const std::string& value : moved) cost.bytes += bytes_of_value(value);
  return cost;
}

Result<std::vector<size_t>> NodeCosts::indices_of(const std::vector<std::string>& names) const {
  std::vector<size_t> nodes;
  for (const std::string& name : names) {
    const size_t count = index_.count(name);
    if (count != 1) return invalid_input(fmt::format("{} nodes are called \"{}\"", count, name));
    nodes.push_back(index_.find(name)->second);
  }
  return nodes;
}

Result<double> NodeCosts::flops_of_node(const Node& node) const {
  const OperatorDef* definition = operator_of(node);
  if (definition == nullptr || definition->flops == nullptr) {
    return invalid_input(fmt::format("the FLOPs of operator \"{}\" are not known", node.type));
  }
  const auto has_type = [&](const std::string& name) {
    return name.empty() || graph_.types.contains(name);
  };
  if (!std::ranges::all_of(node.inputs, has_type) || !std::ranges::all_of(node.outputs, has_type)) {
    return invalid_input(fmt::format("the shapes of node \"{}\" are not known", node.name));
  }
  std::vector<TensorType> outputs;
  for (const std::string& output : node.outputs) {
    outputs.push_back(output.empty() ? TensorType{} : graph_.types.at(output));
  }
  return definition->flops(call_of(node, graph_, opset_), outputs);
}

double NodeCosts::bytes_of_value(const std::string& name) const {
  const TensorType& type = graph_.types.at(name);
  return static_cast<double>(type.size()) * static_cast<double>(size_of(type.data_type));
}

}  // namespace opbench
