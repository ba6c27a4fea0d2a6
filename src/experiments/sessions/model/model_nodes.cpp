#include "experiments/sessions/model/model_nodes.h"

#include <map>
#include <set>
#include <string>

namespace opbench {
namespace {

using Makers = std::map<std::string, size_t>;

void add_needs(const Node& node, const Makers& makers, std::set<size_t>& needs) {
  for (const std::string& input : node.inputs) {
    if (const auto maker = makers.find(input); maker != makers.end()) needs.insert(maker->second);
  }
  for (const auto& [attribute, body] : node.bodies) {
    for (const Node& inner : body.graph().nodes) add_needs(inner, makers, needs);
    for (const Value& output : body.graph().outputs) {
      if (const auto maker = makers.find(output.name); maker != makers.end())
        needs.insert(maker->second);
    }
  }
}

}  // namespace

std::vector<ModelNode> nodes_of(const Graph& graph) {
  Makers makers;
  std::vector<ModelNode> result;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    std::set<size_t> needs;
    add_needs(node, makers, needs);
    ModelNode& one = result.emplace_back(ModelNode{.name = node.name, .type = node.type});
    for (const size_t need : needs) one.needs.push_back(graph.nodes[need].name);
    for (const std::string& output : node.outputs) {
      if (!output.empty()) makers[output] = i;
    }
  }
  return result;
}

}  // namespace opbench
