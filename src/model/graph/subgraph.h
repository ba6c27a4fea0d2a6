#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// The nodes inside a node's bodies, at any depth. Empty for a node without bodies.
std::vector<Node> inner_nodes(const Node& node);

/// The values that a node reads: its inputs, and what its bodies read of the graph around it.
std::vector<std::string> reads_of(const Node& node);

/// New names for values that the node and its bodies read and make. A body keeps its own inputs and
/// constants.
void rename_values(const std::map<std::string, std::string>& names, Node& node);

}  // namespace opbench
