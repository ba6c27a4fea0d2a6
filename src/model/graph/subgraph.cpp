#include "model/graph/subgraph.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace opbench {
namespace {

std::set<std::string> values_of(const Graph& body) {
  std::set<std::string> values;
  for (const Value& input : body.inputs) values.insert(input.name);
  for (const auto& [name, tensor] : body.constants) values.insert(name);
  for (const Node& node : body.nodes) values.insert(node.outputs.begin(), node.outputs.end());
  return values;
}

// The depth is bounded: libprotobuf reads at most 100 messages inside each other.
// NOLINTNEXTLINE(misc-no-recursion)
void add_inner_nodes(const Node& node, std::vector<Node>& nodes) {
  for (const auto& [name, body] : node.bodies) {
    for (const Node& inner : body.graph().nodes) {
      nodes.push_back(inner);
      add_inner_nodes(inner, nodes);
    }
  }
}

// NOLINTNEXTLINE(misc-no-recursion)
void add_reads(const Node& node, std::vector<std::string>& reads) {
  reads.insert(reads.end(), node.inputs.begin(), node.inputs.end());
  for (const auto& [attribute, body] : node.bodies) {
    const Graph& graph = body.graph();
    std::vector<std::string> inside;
    for (const Node& inner : graph.nodes) add_reads(inner, inside);
    for (const Value& output : graph.outputs) inside.push_back(output.name);
    const std::set<std::string> own = values_of(graph);
    std::ranges::copy_if(inside, std::back_inserter(reads),
                         [&](const std::string& name) { return !own.contains(name); });
  }
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion)
void rename_values(const std::map<std::string, std::string>& names, Node& node) {
  const auto rename = [&](std::string& value) {
    const auto known = names.find(value);
    if (known != names.end()) value = known->second;
  };
  for (std::string& input : node.inputs) rename(input);
  for (std::string& output : node.outputs) rename(output);
  for (auto& [attribute, body] : node.bodies) {
    Graph graph = body.graph();
    std::map<std::string, std::string> seen = names;
    for (const Value& input : graph.inputs) seen.erase(input.name);
    for (const auto& [name, tensor] : graph.constants) seen.erase(name);
    for (Node& inner : graph.nodes) rename_values(seen, inner);
    for (Value& output : graph.outputs) {
      const auto known = seen.find(output.name);
      if (known != seen.end()) output.name = known->second;
    }
    body = Body(std::move(graph));
  }
}

std::vector<Node> inner_nodes(const Node& node) {
  std::vector<Node> nodes;
  add_inner_nodes(node, nodes);
  return nodes;
}

std::vector<std::string> reads_of(const Node& node) {
  std::vector<std::string> reads;
  add_reads(node, reads);
  std::erase(reads, "");
  return reads;
}

}  // namespace opbench
