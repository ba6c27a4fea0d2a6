#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// The nodes that take the place of one whose form only an old opset has, while types are inferred:
/// - of opset 6 and below, an operand that is laid along an axis gets extents of 1 behind its own,
///   so that it is laid there by numpy's rule, which our operators follow;
/// - of opset 5 and below, a Cast that names its type in words says its number.
/// Nothing where the node stays.
std::optional<std::vector<Node>> modern_nodes(const Graph& graph, int64_t opset, const Node& node);

}  // namespace opbench
