#pragma once

#include <optional>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// The nodes of the branch that an If node takes, with the node's name before theirs. The branch's
/// constants enter the graph. Nothing if the node has no such branch, or one with too few outputs.
std::optional<std::vector<Node>> inline_branch(Graph& graph, const Node& node, bool condition);

}  // namespace opbench
