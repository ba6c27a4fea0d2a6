#pragma once

#include <string>
#include <vector>

#include "engines/onnxruntime/model_bytes.h"

namespace opbench::ort {

/// For each of ONNX Runtime's units, the names of the model's nodes that it computes, in the
/// model's order. These are the node that it is named after, the nodes on the way there that it
/// absorbed, and the nodes after it that no unit is named after. `units` are the units' own names
/// in their order, `inputs` the graph's. Nodes that depend on no input were computed while loading.
std::vector<std::vector<std::string>> nodes_of_units(const std::vector<std::string>& units,
                                                     const std::vector<ModelNode>& nodes,
                                                     const std::vector<std::string>& inputs);

}  // namespace opbench::ort
