#include "model/graph/subgraph.h"

#include <onnx/onnx_pb.h>

#include <string_view>
#include <variant>

#include "model/graph/bare_node.h"

namespace opbench {
namespace {

/// Tells subgraphs from other texts among the attributes.
constexpr std::string_view kMark = "subgraph:";

// The depth is bounded: libprotobuf reads at most 100 messages inside each other.
// NOLINTNEXTLINE(misc-no-recursion)
void add_inner_nodes(const onnx::GraphProto& graph, std::vector<Node>& nodes) {
  for (const onnx::NodeProto& proto : graph.node()) {
    const size_t index = nodes.size();
    nodes.push_back(bare_node(proto));
    for (const onnx::AttributeProto& attribute : proto.attribute()) {
      if (!attribute.has_g() && attribute.graphs_size() == 0) continue;
      nodes[index].has_subgraph = true;
      if (attribute.has_g()) add_inner_nodes(attribute.g(), nodes);
      for (const onnx::GraphProto& inner : attribute.graphs()) add_inner_nodes(inner, nodes);
    }
  }
}

// NOLINTNEXTLINE(misc-no-recursion)
void drop_initialisers(onnx::GraphProto& graph) {
  graph.clear_initializer();
  graph.clear_sparse_initializer();
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      attribute.clear_t();
      if (attribute.has_g()) drop_initialisers(*attribute.mutable_g());
      for (onnx::GraphProto& inner : *attribute.mutable_graphs()) drop_initialisers(inner);
    }
  }
}

}  // namespace

std::string subgraph_text(onnx::GraphProto graph) {
  drop_initialisers(graph);
  return std::string(kMark) + graph.SerializePartialAsString();
}

std::vector<Node> inner_nodes(const Node& node) {
  std::vector<Node> nodes;
  for (const auto& [name, attribute] : node.attributes) {
    const auto* texts = std::get_if<std::vector<std::string>>(&attribute);
    if (!node.has_subgraph || texts == nullptr) continue;
    for (const std::string& text : *texts) {
      onnx::GraphProto graph;
      if (!text.starts_with(kMark)) continue;
      if (graph.ParsePartialFromString(text.substr(kMark.size()))) add_inner_nodes(graph, nodes);
    }
  }
  return nodes;
}

std::vector<std::string> reads_of(const Node& node) {
  std::vector<std::string> reads = node.inputs;
  for (const Node& inner : inner_nodes(node)) {
    reads.insert(reads.end(), inner.inputs.begin(), inner.inputs.end());
  }
  std::erase(reads, "");
  return reads;
}

}  // namespace opbench
