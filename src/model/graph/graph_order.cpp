#include "model/graph/graph_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <unordered_map>

#include "base/errors/suggestion.h"
#include "model/graph/subgraph.h"

namespace opbench {
namespace {

std::string described(const Node& node) { return fmt::format("\"{}\" ({})", node.name, node.type); }

/// Who makes each value: the index of a node, or kGiven for inputs and constants.
using Makers = std::unordered_map<std::string, size_t>;
constexpr size_t kGiven = SIZE_MAX;

Result<Makers> makers_of(const Graph& graph) {
  Makers makers;
  // A node that leaves an operand out names the empty value.
  if (graph.constants.contains("")) return invalid_input("an initialiser has no name");
  for (const Value& input : graph.inputs) {
    if (input.name.empty()) return invalid_input("a graph input has no name");
    if (makers.emplace(input.name, kGiven).second) continue;
    return invalid_input(fmt::format("there are two graph inputs \"{}\"", input.name));
  }
  for (const auto& [name, tensor] : graph.constants) makers[name] = kGiven;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      const auto [it, added] = makers.emplace(output, i);
      if (added) continue;
      const std::string other = it->second == kGiven
                                    ? "is a graph input or an initialiser"
                                    : "is made by node " + described(graph.nodes[it->second]);
      return invalid_input(fmt::format("node {} makes the value \"{}\", which already {}",
                                       described(node), output, other));
    }
  }
  return makers;
}

Result<void> check_values(const Graph& graph, const Makers& makers) {
  for (const Node& node : graph.nodes) {
    for (const std::string& input : reads_of(node)) {
      if (makers.contains(input)) continue;
      return invalid_input(fmt::format("node {} reads the value \"{}\", which nobody makes",
                                       described(node), input));
    }
  }
  for (const Value& output : graph.outputs) {
    if (makers.contains(output.name)) continue;
    return invalid_input(
        fmt::format("the graph output \"{}\" is a value nobody makes", output.name));
  }
  return {};
}

/// For every node those whose values it reads, each once.
std::vector<std::set<size_t>> sources_of(const Graph& graph, const Makers& makers) {
  std::vector<std::set<size_t>> sources(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& input : reads_of(graph.nodes[i])) {
      const auto it = makers.find(input);
      if (it != makers.end() && it->second != kGiven) sources[i].insert(it->second);
    }
  }
  return sources;
}

/// Indices in the new order; those on and after a cycle are missing.
std::vector<size_t> sorted(const std::vector<std::set<size_t>>& sources) {
  std::vector<std::vector<size_t>> readers(sources.size());
  std::vector<size_t> missing(sources.size());
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < sources.size(); ++i) {
    missing[i] = sources[i].size();
    if (missing[i] == 0) ready.push(i);
    for (const size_t source : sources[i]) readers[source].push_back(i);
  }
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const size_t reader : readers[node]) {
      if (--missing[reader] == 0) ready.push(reader);
    }
  }
  return order;
}

/// Walks from an unsorted node to what it waits for until a node comes again.
Error cycle_error(const Graph& graph, const std::vector<std::set<size_t>>& sources,
                  const std::vector<size_t>& order) {
  std::vector<bool> done(sources.size());
  for (const size_t node : order) done[node] = true;
  const auto waiting = [&](size_t node) { return !done[node]; };
  size_t at = 0;
  while (done[at]) ++at;
  std::vector<size_t> path;
  std::vector<bool> is_on_path(sources.size());
  while (!is_on_path[at]) {
    is_on_path[at] = true;
    path.push_back(at);
    at = *std::ranges::find_if(sources[at], waiting);
  }
  path.erase(path.begin(), std::ranges::find(path, at));
  path.push_back(at);
  std::vector<std::string> names;
  names.reserve(path.size());
  for (const size_t node : path) names.push_back(described(graph.nodes[node]));
  std::ranges::reverse(names);
  return invalid_input(fmt::format("the node {} waits for its own result", names.front()))
      .with("cycle", join(names, " -> "));
}

Result<void> sort_nodes(Graph& graph, const Makers& makers) {
  const auto sources = sources_of(graph, makers);
  const auto order = sorted(sources);
  if (order.size() < graph.nodes.size()) return cycle_error(graph, sources, order);
  std::vector<Node> nodes;
  nodes.reserve(order.size());
  for (const size_t index : order) nodes.push_back(std::move(graph.nodes[index]));
  graph.nodes = std::move(nodes);
  return {};
}

}  // namespace

Result<void> order_nodes(Graph& graph) {
  OPBENCH_TRY(const Makers makers, makers_of(graph));
  OPBENCH_CHECK(check_values(graph, makers));
  return sort_nodes(graph, makers);
}

Result<void> order_body(Graph& body) {
  Makers makers;
  for (size_t i = 0; i < body.nodes.size(); ++i) {
    for (const std::string& output : body.nodes[i].outputs) {
      if (!output.empty()) makers.emplace(output, i);
    }
  }
  return sort_nodes(body, makers);
}

}  // namespace opbench
