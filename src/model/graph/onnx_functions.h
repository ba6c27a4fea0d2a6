#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/graph/graph.h"
#include "model/graph/onnx_node.h"
#include "model/graph/onnx_tensor.h"

namespace onnx {
class NodeProto;
}  // namespace onnx

namespace opbench {

/// The model-local functions of an ONNX file, and their replacement by what they consist of.
class OnnxFunctions {
 public:
  OnnxFunctions();
  OnnxFunctions(OnnxFunctions&&) noexcept;
  OnnxFunctions& operator=(OnnxFunctions&&) noexcept;
  ~OnnxFunctions();

  /// Takes a serialised FunctionProto. `kInvalidInput` if it is none.
  Result<void> add(std::string_view message);

  /// True if the node calls one of them.
  bool has(const onnx::NodeProto& node) const;

  /// Remembers that `nodes[index]`, decoded from `proto`, is a call.
  void remember_call(const onnx::NodeProto& proto, size_t index);

  /// Replaces all remembered calls in `graph` by the functions' nodes, functions called in them
  /// included. New values and nodes are named `<call>/<name>`, made unique. `kInvalidInput` for a
  /// function that calls itself.
  Result<void> inline_calls(Graph& graph, ExternalData& external) const;

  /// Does the same in the bodies of the nodes that are decoded with it. It refers to this object
  /// and to `external`.
  BodyInliner body_inliner(ExternalData& external) const;

  /// Opsets that the functions import, by domain; empty for ai.onnx.
  std::map<std::string, int64_t> opsets() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace opbench
