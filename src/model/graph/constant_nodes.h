#pragma once

#include "base/errors/error.h"
#include "model/graph/graph.h"

namespace opbench {

/// Turns the nodes of type Constant into constants, in any of their forms but strings, which stay
/// nodes. `kInvalidInput` where a constant of that name exists.
Result<void> take_constants(Graph& graph);

}  // namespace opbench
