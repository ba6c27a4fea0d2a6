#pragma once

#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace onnx {
class GraphProto;
}  // namespace onnx

namespace opbench {

/// A subgraph as the text that Node::attributes keeps of it: ONNX's own form without initialisers.
std::string subgraph_text(onnx::GraphProto graph);

/// The nodes inside a node's subgraphs (the bodies of Loop, If and Scan), at any depth, without
/// attributes. Empty for a node without subgraphs.
std::vector<Node> inner_nodes(const Node& node);

/// The values that a node reads: its inputs, and what its subgraphs read. Some of the latter may be
/// values of the subgraphs themselves.
std::vector<std::string> reads_of(const Node& node);

}  // namespace opbench
