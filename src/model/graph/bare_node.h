#pragma once

#include "model/graph/graph.h"

namespace onnx {
class NodeProto;
}  // namespace onnx

namespace opbench {

/// The node without its attributes: name (made up where it has none), operator, values.
Node bare_node(const onnx::NodeProto& proto);

}  // namespace opbench
