#pragma once

#include <string_view>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// The inputs that the bytes of an ONNX model state, in their order, with those that have an
/// initialiser as their default: a `Graph` leaves these out. None where the bytes are no model.
std::vector<Value> stated_inputs(std::string_view bytes);

}  // namespace opbench
