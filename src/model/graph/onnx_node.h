#pragma once

#include <functional>
#include <string>

#include "model/graph/graph.h"
#include "model/graph/onnx_tensor.h"

namespace onnx {
class AttributeProto;
class GraphProto;
class NodeProto;
class ValueInfoProto;
}  // namespace onnx

namespace opbench {

/// Replaces the calls of functions in the body of a node, whose nodes are those of `proto`, in the
/// same order. Empty: the model has no functions.
using BodyInliner = std::function<Result<void>(const onnx::GraphProto& proto, Graph& body)>;

/// The node with its attributes. Those that refer to an attribute of the function they stand in are
/// looked up in `caller`, and are absent when that has none. The nodes of its bodies are in an
/// order in which values are made before they are read. `kInvalidInput` for a node without an
/// operator or with a broken tensor, or with a body whose nodes form a cycle.
Result<Node> decode_node(const onnx::NodeProto& proto, ExternalData& external,
                         const Attributes& caller = {}, const BodyInliner& inliner = {});

/// Adds an attribute to `node`. A subgraph and a kind that is not kept set `has_subgraph`.
Result<void> decode_attribute(const onnx::AttributeProto& proto, ExternalData& external,
                              const Attributes& caller, const BodyInliner& inliner, Node& node);

/// Name and type; no shape and kUndefined for what is no tensor (sequences, maps, optionals).
Value decode_value(const onnx::ValueInfoProto& proto);

/// The reverse of the three. `kInvalidInput` naming the node when it has an attribute that was not
/// kept, or types that cannot be written.
Result<void> encode_node(const Node& node, onnx::NodeProto& proto);
Result<void> encode_value(const Value& value, onnx::ValueInfoProto& proto);

}  // namespace opbench
