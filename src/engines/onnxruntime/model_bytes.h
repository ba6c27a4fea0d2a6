#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensors/tensor.h"

// ONNX files as protobuf bytes: nothing of them is decoded but the fields that are needed, so that
// all else reaches ONNX Runtime as it stands in the file.

namespace opbench::ort {

/// A node of a model's graph; one without a name has that of its first output.
struct ModelNode {
  std::string name;
  std::vector<std::string> inputs, outputs;
  bool operator==(const ModelNode&) const = default;
};

/// The nodes of a serialised model in order. Throws RequestFailure if it is not an ONNX file.
std::vector<ModelNode> nodes_of(std::string_view model);

/// The model with a name on every node; empty if it has them already.
std::string with_node_names(std::string_view model);

/// The model with the inputs that `values` names turned into initialisers of these values.
std::string with_initializers(std::string_view model, const std::map<std::string, Tensor>& values);

/// A model that copies one float32 from x to y.
std::string identity_model();

}  // namespace opbench::ort
