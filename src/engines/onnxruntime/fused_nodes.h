#pragma once

#include <string>
#include <vector>

#include "engines/onnxruntime/model_bytes.h"

namespace opbench::ort {

/// Of each of ONNX Runtime's units the names of the model's nodes that it stands for, in the
/// model's order: the node that it is named after, those that it absorbed on the way there, and
/// those after it that no unit is named after. `units` are the units' own names in their order,
/// `inputs` the graph's: nodes that depend on none were computed while loading.
std::vector<std::vector<std::string>> nodes_of_units(const std::vector<std::string>& units,
                                                     const std::vector<ModelNode>& nodes,
                                                     const std::vector<std::string>& inputs);

}  // namespace opbench::ort
