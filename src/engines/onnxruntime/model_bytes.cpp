#include "engines/onnxruntime/model_bytes.h"

#include <algorithm>
#include <functional>

#include "engines/onnxruntime/element_types.h"
#include "engines/protocol/server.h"
#include "model/graph/proto_wire.h"

namespace opbench::ort {
namespace {

// Numbers of onnx.proto's fields.
constexpr uint32_t kModelIrVersion = 1, kModelGraph = 7, kModelOpsets = 8;
constexpr uint32_t kGraphNode = 1, kGraphName = 2, kGraphInitializer = 5, kGraphInput = 11,
                   kGraphOutput = 12;
constexpr uint32_t kNodeInput = 1, kNodeOutput = 2, kNodeName = 3, kNodeType = 4;
constexpr uint32_t kTensorExtents = 1, kTensorType = 2, kTensorName = 8, kTensorRawData = 9;
constexpr uint32_t kValueName = 1, kValueType = 2;
constexpr uint32_t kOpsetVersion = 2;
constexpr int kFloat = 1;

/// A field, and the bytes that hold it with its number.
struct Field {
  uint32_t number = 0;
  std::string_view content, whole;
};

std::vector<Field> fields_of(std::string_view message) {
  std::vector<Field> fields;
  WireReader reader(message);
  WireField field;
  size_t before = reader.remaining();
  while (reader.next(field)) {
    const size_t after = reader.remaining();
    fields.push_back(
        {field.number, field.bytes, message.substr(message.size() - before, before - after)});
    before = after;
  }
  if (reader.fault() != WireReader::Fault::kNone) {
    throw RequestFailure(FailureKind::kRunError, reader.fault() == WireReader::Fault::kTruncated
                                                     ? "the model ends in the middle of a field"
                                                     : "the model is not an ONNX file");
  }
  return fields;
}

std::vector<Field> graph_of(std::string_view model) {
  for (const Field& field : fields_of(model)) {
    if (field.number == kModelGraph) return fields_of(field.content);
  }
  throw RequestFailure(FailureKind::kRunError, "the model has no graph");
}

/// The content of the first field of that number; empty if there is none.
std::string_view first_text(const std::vector<Field>& fields, uint32_t number) {
  const auto found = std::ranges::find(fields, number, &Field::number);
  return found == fields.end() ? std::string_view() : found->content;
}

ModelNode node_of(const std::vector<Field>& fields) {
  ModelNode node{std::string(first_text(fields, kNodeName)), {}, {}};
  for (const Field& field : fields) {
    if (field.number == kNodeInput) node.inputs.emplace_back(field.content);
    if (field.number == kNodeOutput) node.outputs.emplace_back(field.content);
  }
  if (!node.name.empty()) return node;
  const auto made = std::ranges::find_if_not(node.outputs, &std::string::empty);
  if (made != node.outputs.end()) node.name = *made;
  return node;
}

bool is_unnamed(const Field& field) {
  return field.number == kGraphNode && first_text(fields_of(field.content), kNodeName).empty();
}

std::string named(const Field& field) {
  if (!is_unnamed(field)) return std::string(field.whole);
  std::string node(field.content);
  append_bytes_field(node, kNodeName, node_of(fields_of(field.content)).name);
  std::string whole;
  append_bytes_field(whole, kGraphNode, node);
  return whole;
}

/// The model with what `change` makes of its graph.
std::string with_graph(std::string_view model,
                       const std::function<std::string(const std::vector<Field>&)>& change) {
  std::string changed;
  for (const Field& field : fields_of(model)) {
    if (field.number == kModelGraph) {
      append_bytes_field(changed, kModelGraph, change(fields_of(field.content)));
    } else {
      changed += field.whole;
    }
  }
  return changed;
}

std::string initializer(const std::string& name, const Tensor& tensor) {
  std::string message;
  for (const int64_t extent : tensor.type.shape) append_int_field(message, kTensorExtents, extent);
  append_int_field(message, kTensorType, number_of(tensor.type.data_type));
  append_bytes_field(message, kTensorName, name);
  append_bytes_field(message, kTensorRawData,
                     {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()});
  return message;
}

/// `content` as the field `number` of a message.
std::string field(uint32_t number, std::string_view content) {
  std::string message;
  append_bytes_field(message, number, content);
  return message;
}

std::string field(uint32_t number, int64_t value) {
  std::string message;
  append_int_field(message, number, value);
  return message;
}

/// A value of one float32.
std::string one_float(const std::string& name) {
  const std::string shape = field(1, field(1, 1));
  const std::string tensor = field(1, kFloat) + field(2, shape);
  return field(kValueName, name) + field(kValueType, field(1, tensor));
}

}  // namespace

std::vector<ModelNode> nodes_of(std::string_view model) {
  std::vector<ModelNode> nodes;
  for (const Field& field : graph_of(model)) {
    if (field.number == kGraphNode) nodes.push_back(node_of(fields_of(field.content)));
  }
  return nodes;
}

std::string with_node_names(std::string_view model) {
  if (std::ranges::none_of(graph_of(model), is_unnamed)) return "";
  return with_graph(model, [](const std::vector<Field>& fields) {
    std::string graph;
    for (const Field& field : fields) graph += named(field);
    return graph;
  });
}

std::string with_initializers(std::string_view model, const std::map<std::string, Tensor>& values) {
  return with_graph(model, [&](const std::vector<Field>& fields) {
    std::string graph;
    for (const Field& field : fields) {
      const bool is_replaced =
          field.number == kGraphInput &&
          values.contains(std::string(first_text(fields_of(field.content), kValueName)));
      if (!is_replaced) graph += field.whole;
    }
    for (const auto& [name, tensor] : values) {
      append_bytes_field(graph, kGraphInitializer, initializer(name, tensor));
    }
    return graph;
  });
}

std::string identity_model() {
  const std::string node = field(kNodeInput, "x") + field(kNodeOutput, "y") +
                           field(kNodeName, "identity") + field(kNodeType, "Identity");
  const std::string graph = field(kGraphNode, node) + field(kGraphName, "floor") +
                            field(kGraphInput, one_float("x")) +
                            field(kGraphOutput, one_float("y"));
  return field(kModelIrVersion, 8) + field(kModelOpsets, field(kOpsetVersion, 13)) +
         field(kModelGraph, graph);
}

}  // namespace opbench::ort
