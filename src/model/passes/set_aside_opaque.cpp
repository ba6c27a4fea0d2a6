#include <iterator>
#include <set>

#include "model/graph/subgraph.h"
#include "model/passes/passes.h"
#include "model/passes/unknown_operators.h"

namespace opbench {
namespace {

std::vector<TensorType> types_of(const Graph& graph, const std::vector<std::string>& names) {
  std::vector<TensorType> types;
  for (const std::string& name : names) {
    const auto it = graph.types.find(name);
    types.push_back(it == graph.types.end() ? TensorType{DataType::kUndefined, {}} : it->second);
  }
  return types;
}

Value value_of(const std::string& name, const TensorType& type) {
  Value value{.name = name, .data_type = type.data_type};
  for (const int64_t extent : type.shape) value.dimensions.push_back({extent, ""});
  return value;
}

/// Moves the nodes `indices`, which are in ascending order, out of the graph.
std::vector<OpaqueNode> take_out(Graph& graph, const std::vector<size_t>& indices) {
  std::vector<OpaqueNode> taken;
  std::vector<Node> kept;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    if (taken.size() < indices.size() && indices[taken.size()] == i) {
      OpaqueNode opaque{{}, types_of(graph, node.inputs), types_of(graph, node.outputs)};
      opaque.node = std::move(node);
      taken.push_back(std::move(opaque));
    } else {
      kept.push_back(std::move(node));
    }
  }
  graph.nodes = std::move(kept);
  return taken;
}

}  // namespace

Result<std::vector<OpaqueNode>> set_aside_opaque(Model& model) {
  Graph& graph = model.graph;
  OPBENCH_TRY(const std::vector<size_t> indices, infer_known_types(model));
  std::vector<OpaqueNode> opaque = take_out(graph, indices);
  std::set<std::string> made;
  for (const Node& node : graph.nodes) made.insert(node.outputs.begin(), node.outputs.end());
  std::set<std::string> outputs;
  std::erase_if(graph.outputs, [&](const Value& value) { return !made.contains(value.name); });
  for (const Value& value : graph.outputs) outputs.insert(value.name);
  for (const OpaqueNode& taken : opaque) {
    for (const std::string& name : reads_of(taken.node)) {
      const bool becomes_output = made.contains(name) && outputs.insert(name).second;
      if (becomes_output) graph.outputs.push_back(value_of(name, graph.types.at(name)));
    }
    for (const std::string& name : taken.node.outputs) {
      const auto type = graph.types.find(name);
      if (type != graph.types.end()) graph.inputs.push_back(value_of(name, type->second));
    }
  }
  return opaque;
}

}  // namespace opbench
