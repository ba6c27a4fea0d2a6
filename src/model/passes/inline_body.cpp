#include "model/passes/inline_body.h"

#include <fmt/format.h>

#include <utility>

#include "model/graph/subgraph.h"
#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

std::string prefixed(const std::string& prefix, const std::string& name) {
  return fmt::format("{}/{}", prefix, name);
}

std::string free_name(const Graph& graph, std::string name) {
  while (graph.constants.contains(name)) name += "'";
  return name;
}

/// Moves the constants of the bodies inside a body out into it.
// The depth is bounded: libprotobuf reads at most 100 messages inside each other.
// NOLINTNEXTLINE(misc-no-recursion)
void inline_body_lift_constants(Graph& around) {
  for (Node& node : around.nodes) {
    for (auto& [attribute, body] : node.bodies) {
      Graph graph = body.graph();
      inline_body_lift_constants(graph);
      OuterNames names;
      for (auto& [name, tensor] : graph.constants) {
        names[name] = free_name(around, fmt::format("{}/{}/{}", node.name, attribute, name));
        around.constants.insert_or_assign(names[name], std::move(tensor));
      }
      graph.constants.clear();
      for (Node& inner : graph.nodes) rename_values(names, inner);
      for (Value& output : graph.outputs) output.name = outer_name(names, output.name);
      body = Body(std::move(graph));
    }
  }
}

}  // namespace

std::string outer_name(const OuterNames& names, const std::string& value) {
  const auto known = names.find(value);
  return known == names.end() ? value : known->second;
}

void adopt_constants(Graph& graph, const Graph& body, const std::string& prefix,
                     OuterNames& names) {
  for (const auto& [name, tensor] : body.constants) {
    names[name] = add_constant(graph, prefixed(prefix, name), tensor);
  }
}

std::vector<Node> inline_nodes(const Graph& body, const std::string& prefix, OuterNames& names) {
  for (const Node& node : body.nodes) {
    for (const std::string& output : node.outputs) {
      if (!output.empty()) names.try_emplace(output, prefixed(prefix, output));
    }
  }
  std::vector<Node> nodes = body.nodes;
  for (Node& node : nodes) {
    rename_values(names, node);
    node.name = prefixed(prefix, node.name);
  }
  return nodes;
}

Graph tidy_body(const Body& body) {
  Model model;
  model.graph = body.graph();
  drop_unread_results(model);
  inline_body_lift_constants(model.graph);
  return std::move(model.graph);
}

}  // namespace opbench
