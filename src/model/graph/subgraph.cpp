#include "model/graph/subgraph.h"

namespace opbench {
namespace {

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
  for (const auto& [name, body] : node.bodies) {
    for (const Node& inner : body.graph().nodes) add_reads(inner, reads);
    for (const Value& output : body.graph().outputs) reads.push_back(output.name);
  }
}

}  // namespace

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
