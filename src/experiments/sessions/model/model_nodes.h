#pragma once

#include <vector>

#include "measuring/results/profile_result.h"
#include "model/graph/graph.h"

namespace opbench {

/// The nodes of a graph in its order, each with the nodes whose results it or its bodies read, once
/// each and in the graph's order.
std::vector<ModelNode> nodes_of(const Graph& graph);

}  // namespace opbench
