#pragma once

#include "model/graph/graph.h"

namespace opbench {

/// Puts the nodes into an order in which every value is made before it is read; nodes that are in
/// such an order already stay where they are (Kahn 1962, the earliest ready node first).
///
/// `kInvalidInput` naming node and value: a value read, or a graph output, that nobody makes; a
/// value made twice; nodes that form a cycle.
Result<void> order_nodes(Graph& graph);

/// The same for the body of a node, whose nodes may read values from around it too. `kInvalidInput`
/// for nodes that form a cycle.
Result<void> order_body(Graph& body);

}  // namespace opbench
