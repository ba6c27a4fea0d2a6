#pragma once

#include <string>

#include "model/graph/graph.h"

namespace opbench {

/// The ONNX type of a node, with its domain unless that is ai.onnx: `com.microsoft.FusedMatMul`.
inline std::string full_type(const Node& node) {
  return node.domain.empty() ? node.type : node.domain + "." + node.type;
}

}  // namespace opbench
