#pragma once

#include <functional>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// The nodes for which `is_anchor` holds in the order in which Relay lowers the fused operators
/// that they start: the graph's post-order, outputs and operands left to right, where an operator
/// stands at its last node. Nodes that no output needs are left out.
///
/// Relay fuses an anchor (conv, dense) with what every path from it leads to, as long as only
/// elementwise nodes of the same shape lie there and none of them is another anchor's already; so a
/// residual sum belongs to its first branch. Without `is_fused` anchors stand alone.
std::vector<size_t> lowering_order(const Graph& graph,
                                   const std::function<bool(const Node&)>& is_anchor,
                                   bool is_fused);

}  // namespace opbench
