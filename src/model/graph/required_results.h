#pragma once

#include <cstddef>

#include "model/graph/graph.h"

namespace opbench {

/// How many results ONNX wants of a node, read or not: 2 of TopK, as many as its body has of Loop.
/// Passes leave out results that nobody reads (drop_unread_results); a model that is written has
/// them again.
size_t required_results(const Node& node);

}  // namespace opbench
