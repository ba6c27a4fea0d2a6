#pragma once

#include <string>

#include "model/graph/graph.h"
#include "model/graph/onnx_tensor.h"

namespace onnx {
class AttributeProto;
class NodeProto;
class ValueInfoProto;
}  // namespace onnx

namespace opbench {

/// The node with its attributes. Those that refer to an attribute of the function they stand in are
/// looked up in `caller`, and are absent when that has none. `kInvalidInput` for a node without an
/// operator or with a broken tensor.
Result<Node> decode_node(const onnx::NodeProto& proto, ExternalData& external,
                         const Attributes& caller = {});

/// Adds an attribute to `node`. A subgraph and a kind that is not kept set `has_subgraph`.
Result<void> decode_attribute(const onnx::AttributeProto& proto, ExternalData& external,
                              const Attributes& caller, Node& node);

/// Name and type; no shape and kUndefined for what is no tensor (sequences, maps, optionals).
Value decode_value(const onnx::ValueInfoProto& proto);

/// The reverse of the three. `kInvalidInput` naming the node when it has an attribute that was not
/// kept, or types that cannot be written.
Result<void> encode_node(const Node& node, onnx::NodeProto& proto);
Result<void> encode_value(const Value& value, onnx::ValueInfoProto& proto);

}  // namespace opbench
