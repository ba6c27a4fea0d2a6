#pragma once

#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// The nodes inside a node's bodies, at any depth. Empty for a node without bodies.
std::vector<Node> inner_nodes(const Node& node);

/// The values that a node reads: its inputs, and what its bodies read. Some of the latter may be
/// values of the bodies themselves.
std::vector<std::string> reads_of(const Node& node);

}  // namespace opbench
