#include "model/graph/bare_node.h"

#include <onnx/onnx_pb.h>

namespace opbench {

Node bare_node(const onnx::NodeProto& proto) {
  Node node;
  node.name = proto.name();
  node.type = proto.op_type();
  node.domain = proto.domain() == "ai.onnx" ? "" : proto.domain();
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  for (const std::string& output : node.outputs) {
    if (node.name.empty()) node.name = output;
  }
  if (node.name.empty()) node.name = node.type;
  return node;
}

}  // namespace opbench
