#pragma once

#include <cstddef>

#include "model/graph/graph.h"

namespace opbench {

/// Puts the nodes of one branch in the place of the If node `index`: `then_branch` or
/// `else_branch`. Values and nodes of the branch get the node's name before theirs. False if the
/// node has no such branch, or one with another number of outputs.
bool inline_branch(Graph& graph, size_t index, bool condition);

}  // namespace opbench
