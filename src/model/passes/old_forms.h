#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// Modern nodes for a node in a form that only an old opset has; used while types are inferred.
/// Nothing where the node stays as it is.
/// - Up to opset 6, the attribute `axis` says where the second operand is laid. The operand gets
///   extents of 1 at its end, so that numpy's rule, which our operators follow, lays it there too.
/// - Up to opset 5, a Cast names its type in words. It gets the type's number instead.
std::optional<std::vector<Node>> modern_nodes(const Graph& graph, int64_t opset, const Node& node);

}  // namespace opbench
