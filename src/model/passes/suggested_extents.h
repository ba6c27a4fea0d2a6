#pragma once

#include <string>

#include "model/graph/graph.h"

namespace opbench {

/// Options that bind the free dimensions of the model's inputs, quoted for a shell: `--dim batch=1`
/// for those with a name, `--shape x=1x3x640x640` for inputs with others. The extents are guesses
/// from names, ranks and the operators that read the inputs; of several, the first with which the
/// shapes of all known operators fit. `model` keeps its inputs; its `types` are lost.
std::string suggested_options(Model& model);

}  // namespace opbench
