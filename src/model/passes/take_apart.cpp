#include <algorithm>
#include <iterator>
#include <utility>

#include "model/operators/modern_form/node_parts.h"
#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// Puts the parts of `node` behind `nodes`; false when it is computed as it stands.
bool add_parts(const Node& node, const Model& model, Graph& graph, std::vector<Node>& nodes) {
  const OperatorDef* definition = operator_of(node);
  if (definition == nullptr || definition->take_apart == nullptr) return false;
  const OperatorCall call = call_of(node, graph, model.opset);
  NodeParts parts(call, [&graph](const std::string& base) {
    std::string name = fresh_name(graph, base);
    graph.types.try_emplace(name);  // so that the name is taken
    return name;
  });
  if (!definition->take_apart(call, parts)) return false;
  std::ranges::move(parts.take_nodes(), std::back_inserter(nodes));
  graph.constants.merge(parts.take_constants());
  return true;
}

}  // namespace

bool take_apart(Model& model) {
  Graph& graph = model.graph;
  std::vector<Node> nodes;
  bool has_changed = false;
  for (Node& node : graph.nodes) {
    if (add_parts(node, model, graph, nodes))
      has_changed = true;
    else
      nodes.push_back(std::move(node));
  }
  graph.nodes = std::move(nodes);
  if (has_changed) drop_unread(graph);
  return has_changed;
}

}  // namespace opbench
