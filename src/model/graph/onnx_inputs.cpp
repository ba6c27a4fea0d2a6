#include "model/graph/onnx_inputs.h"

#include <onnx/onnx_pb.h>

#include "model/graph/onnx_node.h"
#include "model/graph/proto_wire.h"

namespace opbench {
namespace {

void add_stated_inputs(std::string_view graph, std::vector<Value>& inputs) {
  WireReader reader(graph);
  for (WireField field; reader.next(field);) {
    const bool is_input = field.number == onnx::GraphProto::kInputFieldNumber &&
                          field.type == WireField::Type::kBytes && field.bytes.size() <= INT32_MAX;
    onnx::ValueInfoProto proto;
    if (is_input &&
        proto.ParsePartialFromArray(field.bytes.data(), static_cast<int>(field.bytes.size()))) {
      inputs.push_back(decode_value(proto));
    }
  }
}

}  // namespace

std::vector<Value> stated_inputs(std::string_view bytes) {
  std::vector<Value> inputs;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);) {
    const bool is_graph = field.number == onnx::ModelProto::kGraphFieldNumber &&
                          field.type == WireField::Type::kBytes;
    if (is_graph) add_stated_inputs(field.bytes, inputs);
  }
  return inputs;
}

}  // namespace opbench
