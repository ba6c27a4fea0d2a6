#include "model/graph/onnx_node.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <set>

#include "model/graph/bare_node.h"
#include "model/graph/constant_nodes.h"
#include "model/graph/graph_order.h"
#include "model/graph/required_results.h"

namespace opbench {
namespace {

using Kind = onnx::AttributeProto;

/// The kind, found from the values when the file (IR 1 and 2) does not say it.
Kind::AttributeType kind_of(const onnx::AttributeProto& proto) {
  if (proto.type() != Kind::UNDEFINED) return proto.type();
  if (proto.has_f()) return Kind::FLOAT;
  if (proto.has_i()) return Kind::INT;
  if (proto.has_s()) return Kind::STRING;
  if (proto.has_t()) return Kind::TENSOR;
  if (proto.floats_size() > 0) return Kind::FLOATS;
  if (proto.strings_size() > 0) return Kind::STRINGS;
  if (proto.ints_size() > 0) return Kind::INTS;
  if (proto.has_sparse_tensor()) return Kind::SPARSE_TENSOR;
  if (proto.has_g()) return Kind::GRAPH;
  return Kind::UNDEFINED;
}

void refer_to_caller(const onnx::AttributeProto& proto, const Attributes& caller, Node& node) {
  if (const auto it = caller.find(proto.ref_attr_name()); it != caller.end()) {
    node.attributes[proto.name()] = it->second;
  }
}

Result<void> encode_tensor(const Tensor& tensor, onnx::TensorProto& proto) {
  OPBENCH_TRY(const int32_t number, onnx_number_of(tensor.type.data_type));
  if (size_of(tensor.type.data_type) == 0) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("values of type {} are not kept", name_of(tensor.type.data_type))};
  }
  proto.set_data_type(number);
  for (const int64_t extent : tensor.type.shape) proto.add_dims(extent);
  proto.set_raw_data(tensor.data.data(), tensor.data.size());
  return {};
}

/// Writes one kind of value each.
struct AttributeEncoder {
  onnx::AttributeProto& proto;

  Result<void> operator()(int64_t value) const {
    proto.set_type(Kind::INT);
    proto.set_i(value);
    return {};
  }
  Result<void> operator()(float value) const {
    proto.set_type(Kind::FLOAT);
    proto.set_f(value);
    return {};
  }
  Result<void> operator()(const std::string& value) const {
    proto.set_type(Kind::STRING);
    proto.set_s(value);
    return {};
  }
  Result<void> operator()(const std::vector<int64_t>& values) const {
    proto.set_type(Kind::INTS);
    proto.mutable_ints()->Add(values.begin(), values.end());
    return {};
  }
  Result<void> operator()(const std::vector<float>& values) const {
    proto.set_type(Kind::FLOATS);
    proto.mutable_floats()->Add(values.begin(), values.end());
    return {};
  }
  Result<void> operator()(const std::vector<std::string>& values) const {
    proto.set_type(Kind::STRINGS);
    for (const std::string& value : values) proto.add_strings(value);
    return {};
  }
  Result<void> operator()(const Tensor& tensor) const {
    proto.set_type(Kind::TENSOR);
    return encode_tensor(tensor, *proto.mutable_t());
  }
};

Error in_node(Error error, const Node& node) {
  return std::move(error).with("node", fmt::format("{} ({})", node.name, node.type));
}

// Whoever inlines a body relies on it.
Result<void> check_makers(const Graph& body) {
  std::set<std::string> made;
  for (const Value& input : body.inputs) made.insert(input.name);
  for (const auto& [name, tensor] : body.constants) made.insert(name);
  if (made.contains("")) {
    return Error{ErrorCode::kInvalidInput, "an input or initialiser of a subgraph has no name"};
  }
  for (const Node& node : body.nodes) {
    for (const std::string& output : node.outputs) {
      if (output.empty() || made.insert(output).second) continue;
      return in_node(Error{ErrorCode::kInvalidInput,
                           fmt::format("a subgraph makes the value \"{}\" twice", output)},
                     node);
    }
  }
  return {};
}

// The depth is bounded: libprotobuf reads at most 100 messages inside each other.
// NOLINTNEXTLINE(misc-no-recursion)
Result<Body> decode_body(const onnx::GraphProto& proto, ExternalData& external,
                         const Attributes& caller, const BodyInliner& inliner) {
  Graph graph;
  graph.name = proto.name();
  for (const onnx::ValueInfoProto& input : proto.input()) {
    graph.inputs.push_back(decode_value(input));
  }
  for (const onnx::ValueInfoProto& output : proto.output()) {
    graph.outputs.push_back(decode_value(output));
  }
  for (const onnx::TensorProto& initializer : proto.initializer()) {
    OPBENCH_TRY(Tensor tensor, decode_tensor(initializer, external));
    graph.constants.insert_or_assign(initializer.name(), std::move(tensor));
  }
  for (const onnx::NodeProto& node : proto.node()) {
    OPBENCH_TRY(Node decoded, decode_node(node, external, caller, inliner));
    graph.nodes.push_back(std::move(decoded));
  }
  if (inliner) OPBENCH_CHECK(inliner(proto, graph));
  OPBENCH_CHECK(take_constants(graph));
  OPBENCH_CHECK(check_makers(graph));
  OPBENCH_CHECK(order_body(graph));
  return Body(std::move(graph));
}

// NOLINTNEXTLINE(misc-no-recursion)
Result<void> encode_body(const Graph& graph, onnx::GraphProto& proto) {
  proto.set_name(graph.name);
  for (const Value& input : graph.inputs) OPBENCH_CHECK(encode_value(input, *proto.add_input()));
  for (const Value& output : graph.outputs) {
    OPBENCH_CHECK(encode_value(output, *proto.add_output()));
  }
  for (const auto& [name, tensor] : graph.constants) {
    onnx::TensorProto& initializer = *proto.add_initializer();
    OPBENCH_CHECK(encode_tensor(tensor, initializer));
    initializer.set_name(name);
  }
  for (const Node& node : graph.nodes) OPBENCH_CHECK(encode_node(node, *proto.add_node()));
  return {};
}

}  // namespace

Result<void> decode_attribute(const onnx::AttributeProto& proto, ExternalData& external,
                              const Attributes& caller, const BodyInliner& inliner, Node& node) {
  if (!proto.ref_attr_name().empty()) {
    refer_to_caller(proto, caller, node);
    return {};
  }
  Attribute attribute;
  switch (kind_of(proto)) {
    case Kind::INT:
      attribute = proto.i();
      break;
    case Kind::FLOAT:
      attribute = proto.f();
      break;
    case Kind::STRING:
      attribute = proto.s();
      break;
    case Kind::INTS:
      attribute = std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
      break;
    case Kind::FLOATS:
      attribute = std::vector<float>(proto.floats().begin(), proto.floats().end());
      break;
    case Kind::STRINGS:
      attribute = std::vector<std::string>(proto.strings().begin(), proto.strings().end());
      break;
    case Kind::TENSOR: {
      OPBENCH_TRY(attribute, decode_tensor(proto.t(), external));
      break;
    }
    case Kind::SPARSE_TENSOR: {
      OPBENCH_TRY(NamedTensor dense, decode_sparse_tensor(proto.sparse_tensor(), external));
      attribute = std::move(dense.tensor);
      break;
    }
    case Kind::UNDEFINED:  // an empty list of a file that does not say of what
      attribute = std::vector<int64_t>();
      break;
    case Kind::GRAPH: {
      node.has_subgraph = true;
      OPBENCH_TRY(node.bodies[proto.name()], decode_body(proto.g(), external, caller, inliner));
      return {};
    }
    default:
      node.has_subgraph = true;
      return {};
  }
  node.attributes[proto.name()] = std::move(attribute);
  return {};
}

Result<Node> decode_node(const onnx::NodeProto& proto, ExternalData& external,
                         const Attributes& caller, const BodyInliner& inliner) {
  Node node = bare_node(proto);
  if (node.type.empty()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("node \"{}\" has no operator", node.name)};
  }
  if (node.outputs.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("node \"{}\" ({}) has no output", node.name, node.type)};
  }
  for (const auto& attribute : proto.attribute()) {
    auto decoded = decode_attribute(attribute, external, caller, inliner, node);
    if (!decoded) return in_node(std::move(decoded).error(), node);
  }
  return node;
}

Value decode_value(const onnx::ValueInfoProto& proto) {
  Value value{.name = proto.name(), .data_type = DataType::kUndefined, .has_shape = false};
  if (!proto.type().has_tensor_type()) return value;
  const auto& type = proto.type().tensor_type();
  value.data_type = data_type_of_onnx(type.elem_type());
  value.has_shape = type.has_shape();
  for (const auto& dim : type.shape().dim()) {
    Dimension dimension{.symbol = dim.dim_param()};
    if (dim.has_dim_value() && dim.dim_value() >= 0) dimension.value = dim.dim_value();
    value.dimensions.push_back(std::move(dimension));
  }
  return value;
}

namespace {

/// Results that nobody reads and that the operator must have all the same get names of their own.
void name_required_results(const Node& node, onnx::NodeProto& proto) {
  if (node.outputs.empty()) return;
  const size_t required = required_results(node);
  for (size_t i = 1; i < required; ++i) {
    const auto at = static_cast<int>(i);
    if (at == proto.output_size()) proto.add_output();
    if (!proto.output(at).empty()) continue;
    proto.set_output(at, fmt::format("{}/unread{}", node.outputs[0], i));
  }
}

}  // namespace

Result<void> encode_node(const Node& node, onnx::NodeProto& proto) {
  if (node.has_subgraph && node.bodies.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("node \"{}\" ({}) has an attribute that is not kept, so it cannot be "
                             "written",
                             node.name, node.type)};
  }
  proto.set_name(node.name);
  proto.set_op_type(node.type);
  if (!node.domain.empty()) proto.set_domain(node.domain);
  for (const std::string& input : node.inputs) proto.add_input(input);
  for (const std::string& output : node.outputs) proto.add_output(output);
  name_required_results(node, proto);
  for (const auto& [name, value] : node.attributes) {
    onnx::AttributeProto& attribute = *proto.add_attribute();
    attribute.set_name(name);
    auto encoded = std::visit(AttributeEncoder{attribute}, value);
    if (!encoded) return in_node(std::move(encoded).error(), node);
  }
  for (const auto& [name, body] : node.bodies) {
    onnx::AttributeProto& attribute = *proto.add_attribute();
    attribute.set_name(name);
    attribute.set_type(Kind::GRAPH);
    OPBENCH_CHECK(encode_body(body.graph(), *attribute.mutable_g()));
  }
  return {};
}

Result<void> encode_value(const Value& value, onnx::ValueInfoProto& proto) {
  proto.set_name(value.name);
  if (value.data_type == DataType::kUndefined) return {};
  OPBENCH_TRY(const int32_t number, onnx_number_of(value.data_type));
  auto& type = *proto.mutable_type()->mutable_tensor_type();
  type.set_elem_type(number);
  if (!value.has_shape) return {};
  auto& shape = *type.mutable_shape();
  for (const Dimension& dimension : value.dimensions) {
    auto& dim = *shape.add_dim();
    if (!dimension.is_free()) dim.set_dim_value(dimension.value);
    if (dimension.is_free() && !dimension.symbol.empty()) dim.set_dim_param(dimension.symbol);
  }
  return {};
}

}  // namespace opbench
