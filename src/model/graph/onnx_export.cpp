#include "model/graph/onnx_export.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <limits>

#include "model/graph/onnx_node.h"
#include "model/graph/onnx_tensor.h"
#include "model/graph/proto_wire.h"

namespace opbench {
namespace {

/// A GraphProto before it is written: small parts as bytes, constants as pointers to their values.
struct Parts {
  struct Constant {
    std::string head;  ///< the field's head and the TensorProto's fields before its values
    const Tensor* tensor = nullptr;
  };
  std::string nodes;  ///< with the graph's name
  std::vector<Constant> constants;
  std::string values;  ///< inputs and outputs
  bool outside = false;
  int64_t bytes() const {
    auto sum = static_cast<int64_t>(nodes.size() + values.size());
    for (const Constant& constant : constants) {
      sum += static_cast<int64_t>(constant.head.size());
      if (!outside) sum += static_cast<int64_t>(constant.tensor->data.size());
    }
    return sum;
  }
};

std::string_view view(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()};
}

void add_entry(onnx::TensorProto& proto, const std::string& key, const std::string& value) {
  auto& entry = *proto.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

/// One initialiser. Its values follow the head, or lie at `offset` of the external file.
Result<Parts::Constant> constant_part(const std::string& name, const Tensor& tensor,
                                      const std::string* external_name, int64_t offset) {
  const DataType type = tensor.type.data_type;
  if (size_of(type) == 0) {
    return invalid_input(
        fmt::format("constant \"{}\" of type {} cannot be written: its values are not "
                    "kept",
                    name, name_of(type)));
  }
  OPBENCH_TRY(const int32_t number, onnx_number_of(type));
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(number);
  for (const int64_t extent : tensor.type.shape) proto.add_dims(extent);
  if (external_name != nullptr) {
    add_entry(proto, "location", *external_name);
    add_entry(proto, "offset", std::to_string(offset));
    add_entry(proto, "length", std::to_string(tensor.data.size()));
    proto.set_data_location(onnx::TensorProto::EXTERNAL);
  }
  std::string head = proto.SerializeAsString();
  size_t size = head.size();
  if (external_name == nullptr) {
    append_bytes_head(head, onnx::TensorProto::kRawDataFieldNumber, tensor.data.size());
    size = head.size() + tensor.data.size();
  }
  Parts::Constant part{"", &tensor};
  append_bytes_head(part.head, onnx::GraphProto::kInitializerFieldNumber, size);
  part.head += head;
  return part;
}

Result<void> append_value(const Value& value, int number, std::string& out) {
  onnx::ValueInfoProto proto;
  OPBENCH_CHECK(encode_value(value, proto));
  append_bytes_field(out, static_cast<uint32_t>(number), proto.SerializeAsString());
  return {};
}

Value value_of(const std::string& name, const TensorType& type) {
  Value value{.name = name, .data_type = type.data_type, .has_shape = true, .dimensions = {}};
  for (const int64_t extent : type.shape) value.dimensions.push_back({extent, ""});
  return value;
}

/// Inputs and outputs. Up to IR 3 every initialiser is an input as well.
Result<std::string> value_parts(const Model& model, const ExportOptions& options) {
  const Graph& graph = model.graph;
  std::string out;
  for (const Value& input : graph.inputs) {
    OPBENCH_CHECK(append_value(input, onnx::GraphProto::kInputFieldNumber, out));
  }
  if (model.ir_version <= onnx::IR_VERSION_2017_11_3) {
    for (const auto& [name, tensor] : graph.constants) {
      OPBENCH_CHECK(
          append_value(value_of(name, tensor.type), onnx::GraphProto::kInputFieldNumber, out));
    }
  }
  for (const Value& output : graph.outputs) {
    OPBENCH_CHECK(append_value(output, onnx::GraphProto::kOutputFieldNumber, out));
  }
  for (const std::string& name : options.extra_outputs) {
    if (is_output(graph, name)) continue;
    const auto type = graph.types.find(name);
    if (type == graph.types.end()) {
      return invalid_input(fmt::format("\"{}\" cannot be an output: its type is unknown", name));
    }
    OPBENCH_CHECK(
        append_value(value_of(name, type->second), onnx::GraphProto::kOutputFieldNumber, out));
  }
  return out;
}

Result<Parts> parts_of(const Model& model, const ExportOptions& options) {
  Parts parts;
  for (const Node& node : model.graph.nodes) {
    onnx::NodeProto proto;
    OPBENCH_CHECK(encode_node(node, proto));
    append_bytes_field(parts.nodes, onnx::GraphProto::kNodeFieldNumber, proto.SerializeAsString());
  }
  append_bytes_field(parts.nodes, onnx::GraphProto::kNameFieldNumber, model.graph.name);
  int64_t sum = 0;
  for (const auto& [name, tensor] : model.graph.constants) {
    sum += static_cast<int64_t>(tensor.data.size());
  }
  parts.outside = sum > options.largest_inside_bytes;
  int64_t offset = 0;
  for (const auto& [name, tensor] : model.graph.constants) {
    const std::string* external_name = parts.outside ? &options.external_name : nullptr;
    OPBENCH_TRY(Parts::Constant part, constant_part(name, tensor, external_name, offset));
    offset += static_cast<int64_t>(tensor.data.size());
    parts.constants.push_back(std::move(part));
  }
  OPBENCH_TRY(parts.values, value_parts(model, options));
  return parts;
}

void add_opset(onnx::ModelProto& proto, const std::string& domain, int64_t version) {
  auto& opset = *proto.add_opset_import();
  opset.set_domain(domain);
  opset.set_version(version);
}

/// The fields of the ModelProto that stand around its graph.
std::string model_fields(const Model& model) {
  onnx::ModelProto proto;
  proto.set_ir_version(model.ir_version);
  proto.set_producer_name("opbench");
  proto.set_producer_version(OPBENCH_VERSION);
  // Models of IR 1 and 2 do not say it; of those without an IR version it is all that tells them.
  const bool has_opset = model.ir_version < 1 || model.ir_version >= onnx::IR_VERSION_2017_11_3;
  if (has_opset) add_opset(proto, "", model.opset);
  for (const auto& [domain, version] : model.other_opsets) add_opset(proto, domain, version);
  return proto.SerializeAsString();
}

}  // namespace

Result<void> export_onnx(const Model& model, const ExportOptions& options,
                         const ExportSinks& sinks) {
  OPBENCH_TRY(const Parts parts, parts_of(model, options));
  std::string head = model_fields(model);
  append_bytes_head(head, onnx::ModelProto::kGraphFieldNumber,
                    static_cast<uint64_t>(parts.bytes()));
  OPBENCH_CHECK(sinks.size(static_cast<int64_t>(head.size()) + parts.bytes()));
  OPBENCH_CHECK(sinks.model(head));
  OPBENCH_CHECK(sinks.model(parts.nodes));
  for (const Parts::Constant& constant : parts.constants) {
    OPBENCH_CHECK(sinks.model(constant.head));
    const ByteSink& values = parts.outside ? sinks.external : sinks.model;
    OPBENCH_CHECK(values(view(*constant.tensor)));
  }
  return sinks.model(parts.values);
}

Result<std::string> onnx_bytes(const Model& model) {
  std::string bytes;
  const auto append = [&](std::string_view part) {
    bytes += part;
    return Result<void>();
  };
  const auto reserve = [&](int64_t size) {
    if (size > std::numeric_limits<int32_t>::max()) {
      return Result<void>(invalid_input("the model is beyond 2 GiB and must be written to files"));
    }
    bytes.reserve(static_cast<size_t>(size));
    return Result<void>();
  };
  ExportOptions options;
  options.largest_inside_bytes = std::numeric_limits<int64_t>::max();
  OPBENCH_CHECK(export_onnx(model, options, {reserve, append, append}));
  return bytes;
}

}  // namespace opbench
