#include <fmt/format.h>

#include <algorithm>

#include "model/operators/checked_types.h"
#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

void rename_reads(Graph& graph, const std::string& from, const std::string& to) {
  for (Node& node : graph.nodes) std::ranges::replace(node.inputs, from, to);
}

bool has_reader(const Graph& graph, const std::string& name) {
  return is_output(graph, name) || std::ranges::any_of(graph.nodes, [&](const Node& node) {
           return std::ranges::find(node.inputs, name) != node.inputs.end();
         });
}

/// A dropout is one if nobody wants its mask.
bool is_identity(const Graph& graph, const Node& node) {
  if (!node.domain.empty() || (node.type != "Identity" && node.type != "Dropout")) return false;
  return node.outputs.size() < 2 || node.outputs[1].empty() || !has_reader(graph, node.outputs[1]);
}

/// Lets readers of an identity read its operand. When its result is a graph output, the node that
/// makes the operand takes over that name, unless the operand is needed under its own.
void bypass(Graph& graph, size_t index) {
  const std::string from = graph.nodes[index].outputs[0];
  const std::string to = graph.nodes[index].inputs[0];
  if (!is_output(graph, from)) {
    rename_reads(graph, from, to);
    return;
  }
  const auto makes = [&](const Node& node) {
    return std::ranges::find(node.outputs, to) != node.outputs.end();
  };
  const auto maker = std::ranges::find_if(graph.nodes, makes);
  if (maker == graph.nodes.end() || is_output(graph, to)) return;
  std::ranges::replace(maker->outputs, to, from);
  graph.nodes[index].outputs[0].clear();
  rename_reads(graph, to, from);
}

/// Evaluates every node whose results are known and that makes no graph output.
Result<void> evaluate_known(Model& model) {
  Graph& graph = model.graph;
  for (Node& node : graph.nodes) {
    const bool makes_output = std::ranges::any_of(
        node.outputs, [&](const std::string& name) { return is_output(graph, name); });
    const OperatorDef* def = operator_of(node);
    if (makes_output || def == nullptr) continue;
    const OperatorCall call = call_of(node, graph, model.opset);
    if (!is_known(call)) continue;
    OPBENCH_TRY(const auto types, checked_types(*def, call));
    OPBENCH_TRY(std::vector<Tensor> results, evaluate(call, types));
    for (size_t i = 0; i < results.size() && i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      graph.constants.insert_or_assign(node.outputs[i], std::move(results[i]));
      node.outputs[i].clear();
    }
  }
  return {};
}

Tensor one_integer(int64_t value) {
  return Tensor::of<int64_t>(DataType::kInt64, {1}, std::span(&value, 1));
}

/// One Slice for each result of a Split, so that every node makes one value. A result without a
/// name is nobody's, and takes its extent all the same.
Result<std::vector<Node>> slices_of(Graph& graph, const Node& split, int64_t opset) {
  OPBENCH_TRY(const auto types, checked_types(*operator_of(split), call_of(split, graph, opset)));
  const Shape in = graph.types.at(split.inputs[0]).shape;
  int64_t axis = int_attribute(split, "axis", 0);
  if (axis < 0) axis += static_cast<int64_t>(in.size());
  const std::string axes = add_constant(graph, split.name + "/axes", one_integer(axis));
  std::vector<Node> slices;
  int64_t begin = 0, end = 0;
  for (size_t i = 0; i < split.outputs.size(); ++i, begin = end) {
    const std::string& output = split.outputs[i];
    end = begin + types[i].shape[static_cast<size_t>(axis)];
    if (output.empty()) continue;
    Node slice{output, "Slice", "", {split.inputs[0]}, {output}, {}, false};
    slice.inputs.push_back(add_constant(graph, output + "/starts", one_integer(begin)));
    slice.inputs.push_back(add_constant(graph, output + "/ends", one_integer(end)));
    slice.inputs.push_back(axes);
    slices.push_back(std::move(slice));
  }
  return slices;
}

Result<void> replace_splits(Graph& graph, int64_t opset) {
  std::vector<Node> nodes;
  for (Node& node : graph.nodes) {
    if (node.domain.empty() && node.type == "Split") {
      OPBENCH_TRY(std::vector<Node> slices, slices_of(graph, node, opset));
      std::ranges::move(slices, std::back_inserter(nodes));
    } else {
      nodes.push_back(std::move(node));
    }
  }
  graph.nodes = std::move(nodes);
  return {};
}

}  // namespace

Result<void> fold_constants(Model& model) {
  Graph& graph = model.graph;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (is_identity(graph, graph.nodes[i])) bypass(graph, i);
  }
  OPBENCH_CHECK(evaluate_known(model));
  drop_unread(graph);
  OPBENCH_CHECK(replace_splits(graph, model.opset));
  return {};
}

}  // namespace opbench
