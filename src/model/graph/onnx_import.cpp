#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "base/text/printable.h"
#include "model/graph/constant_nodes.h"
#include "model/graph/file_kind.h"
#include "model/graph/graph_order.h"
#include "model/graph/onnx_file.h"
#include "model/graph/onnx_functions.h"
#include "model/graph/onnx_node.h"
#include "model/graph/onnx_tensor.h"
#include "model/graph/proto_wire.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

template <class Message>
bool parse(std::string_view bytes, Message& message) {
  return bytes.size() <= INT32_MAX &&
         message.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

/// The fields of a ModelProto that are used, the large ones as they lie in the file.
struct ModelParts {
  int64_t ir_version = 0;
  std::vector<onnx::OperatorSetIdProto> opsets;
  std::vector<std::string_view> graphs;  ///< one, or pieces of it
  std::vector<std::string_view> functions;
};

/// False where a ModelProto has a field of this number but not of this type.
bool fits_a_model(const WireField& field) {
  using Model = onnx::ModelProto;
  constexpr std::array kNumbers = {Model::kIrVersionFieldNumber, Model::kModelVersionFieldNumber};
  constexpr std::array kMessages = {
      Model::kProducerNameFieldNumber,  Model::kProducerVersionFieldNumber,
      Model::kDomainFieldNumber,        Model::kDocStringFieldNumber,
      Model::kGraphFieldNumber,         Model::kOpsetImportFieldNumber,
      Model::kMetadataPropsFieldNumber, Model::kTrainingInfoFieldNumber,
      Model::kFunctionsFieldNumber};
  const auto number = static_cast<int>(field.number);
  if (std::ranges::find(kNumbers, number) != kNumbers.end()) {
    return field.type == WireField::Type::kVarint;
  }
  return std::ranges::find(kMessages, number) == kMessages.end() ||
         field.type == WireField::Type::kBytes;
}

bool is_tensor(std::string_view bytes) {
  onnx::TensorProto tensor;
  return parse(bytes, tensor) && tensor.has_data_type() && tensor.unknown_fields().empty();
}

Error not_onnx(std::string_view bytes, const std::string& label) {
  Error error = invalid_input(fmt::format("\"{}\" is not an ONNX model", label));
  const std::string kind = file_kind(bytes);
  if (!kind.empty()) return std::move(error).with("it is", kind);
  if (is_tensor(bytes)) return std::move(error).with("it is", "one tensor (TensorProto)");
  return error;
}

/// Takes the field if it is one of those used; false if no model has it like that.
bool take(const WireField& field, ModelParts& parts) {
  constexpr uint64_t kHighestIrVersion = 1000;
  if (!fits_a_model(field)) return false;
  switch (field.number) {
    case onnx::ModelProto::kIrVersionFieldNumber:
      parts.ir_version = static_cast<int64_t>(field.value);
      return field.value <= kHighestIrVersion;
    case onnx::ModelProto::kGraphFieldNumber:
      parts.graphs.push_back(field.bytes);
      return true;
    case onnx::ModelProto::kFunctionsFieldNumber:
      parts.functions.push_back(field.bytes);
      return true;
    case onnx::ModelProto::kOpsetImportFieldNumber:
      return parse(field.bytes, parts.opsets.emplace_back());
    default:
      return true;
  }
}

Result<ModelParts> split(std::string_view bytes, const std::string& label) {
  ModelParts parts;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);) {
    if (!take(field, parts)) return not_onnx(bytes, label);
  }
  const bool seems_a_model = parts.ir_version > 0 || !parts.opsets.empty();
  if (!seems_a_model || reader.fault() == WireReader::Fault::kMalformed) {
    return not_onnx(bytes, label);
  }
  if (reader.fault() == WireReader::Fault::kTruncated) {
    return invalid_input(
        fmt::format("\"{}\" is truncated: {} of its {} bytes are not a whole field", label,
                    reader.remaining(), bytes.size()));
  }
  if (parts.graphs.empty()) {
    return invalid_input(fmt::format("\"{}\" is truncated: it has no graph", label));
  }
  if (parts.opsets.empty() && parts.ir_version >= onnx::IR_VERSION_2017_11_3) {
    return invalid_input(
        fmt::format("\"{}\" is truncated: it does not say its operator sets", label));
  }
  return parts;
}

/// Reads the fields of a GraphProto one by one, so that nothing is held twice.
class GraphReader {
 public:
  GraphReader(Graph& graph, OnnxFunctions& functions, ExternalData& external)
      : graph_(graph), functions_(functions), external_(external) {}

  Result<void> read(std::string_view message) {
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      if (field.type == WireField::Type::kBytes) OPBENCH_CHECK(take(field));
    }
    if (reader.fault() == WireReader::Fault::kNone) return {};
    return invalid_input("the graph is damaged: it is no GraphProto");
  }

  /// What can be done only when all is read.
  Result<void> finish() {
    if (graph_.outputs.empty()) return invalid_input("the graph has no outputs");
    std::erase_if(graph_.inputs,
                  [&](const Value& value) { return graph_.constants.contains(value.name); });
    OPBENCH_CHECK(check_names());
    take_stated_types();
    OPBENCH_CHECK(functions_.inline_calls(graph_, external_));
    OPBENCH_CHECK(take_constants(graph_));
    return order_nodes(graph_);
  }

 private:
  Result<void> take(const WireField& field) {
    switch (field.number) {
      case onnx::GraphProto::kNameFieldNumber:
        graph_.name = field.bytes;
        return {};
      case onnx::GraphProto::kNodeFieldNumber:
        return take_node(field.bytes);
      case onnx::GraphProto::kInitializerFieldNumber: {
        OPBENCH_TRY(NamedTensor named, decode_tensor(field.bytes, external_));
        return take_initializer(std::move(named));
      }
      case onnx::GraphProto::kSparseInitializerFieldNumber: {
        onnx::SparseTensorProto proto;
        if (!parse(field.bytes, proto)) return invalid_input("a sparse initialiser is damaged");
        OPBENCH_TRY(NamedTensor named, decode_sparse_tensor(proto, external_));
        return take_initializer(std::move(named));
      }
      case onnx::GraphProto::kInputFieldNumber:
        return take_value(field.bytes, graph_.inputs);
      case onnx::GraphProto::kOutputFieldNumber:
        return take_value(field.bytes, graph_.outputs);
      case onnx::GraphProto::kValueInfoFieldNumber:
        return take_value(field.bytes, stated_);
      default:
        return {};
    }
  }

  Result<void> take_node(std::string_view message) {
    onnx::NodeProto proto;
    if (!parse(message, proto))
      return invalid_input("a node is damaged, nested too deeply, or beyond 2 GiB");
    if (functions_.has(proto)) functions_.remember_call(proto, graph_.nodes.size());
    OPBENCH_TRY(Node node, decode_node(proto, external_, {}, functions_.body_inliner(external_)));
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  Result<void> take_initializer(NamedTensor named) {
    const auto [it, added] = graph_.constants.emplace(named.name, std::move(named.tensor));
    if (added) return {};
    return invalid_input(fmt::format("there are two initialisers \"{}\"", named.name));
  }

  static Result<void> take_value(std::string_view message, std::vector<Value>& values) {
    onnx::ValueInfoProto proto;
    if (!parse(message, proto)) return invalid_input("the type of a value is damaged");
    values.push_back(decode_value(proto));
    return {};
  }

  /// Names go into JSON: to engines, into reports and records.
  Result<void> check_names() const {
    std::vector<std::string> names;
    for (const auto* values : {&graph_.inputs, &graph_.outputs}) {
      for (const Value& value : *values) names.push_back(value.name);
    }
    for (const Node& node : graph_.nodes) {
      names.push_back(node.name);
      names.insert(names.end(), node.outputs.begin(), node.outputs.end());
    }
    const auto bad = std::ranges::find_if_not(names, is_utf8);
    if (bad == names.end()) return {};
    return invalid_input(fmt::format("the name \"{}\" is not UTF-8", *bad));
  }

  /// Keeps the types that the file states in full, of outputs too.
  void take_stated_types() {
    stated_.insert(stated_.end(), graph_.outputs.begin(), graph_.outputs.end());
    for (const Value& value : stated_) {
      const bool is_free = std::ranges::any_of(value.dimensions, &Dimension::is_free);
      if (!value.has_shape || is_free || value.data_type == DataType::kUndefined) continue;
      TensorType& type = graph_.types[value.name];
      type = {value.data_type, {}};
      for (const Dimension& dimension : value.dimensions) type.shape.push_back(dimension.value);
    }
  }

  Graph& graph_;
  OnnxFunctions& functions_;
  ExternalData& external_;
  std::vector<Value> stated_;
};

void set_opset(Model& model, const std::string& domain, int64_t version) {
  if (domain.empty() || domain == "ai.onnx") {
    model.opset = version;
  } else {
    model.other_opsets[domain] = version;
  }
}

void set_opsets(Model& model, const ModelParts& parts, const OnnxFunctions& functions) {
  model.opset = 1;  // what models of IR 1 and 2 mean, which do not say it
  for (const auto& [domain, version] : functions.opsets()) set_opset(model, domain, version);
  for (const auto& opset : parts.opsets) set_opset(model, opset.domain(), opset.version());
}

Result<Model> read_parts(std::string_view bytes, const ModelParts& parts, const fs::path& folder) {
  Model model;
  model.ir_version = parts.ir_version;
  OnnxFunctions functions;
  for (const std::string_view function : parts.functions) OPBENCH_CHECK(functions.add(function));
  set_opsets(model, parts, functions);
  ExternalData external(folder);
  GraphReader reader(model.graph, functions, external);
  for (const std::string_view graph : parts.graphs) OPBENCH_CHECK(reader.read(graph));
  OPBENCH_CHECK(reader.finish());
  model.sha256 = sha256(bytes);
  model.file_bytes = static_cast<int64_t>(bytes.size()) + external.file_bytes();
  return model;
}

/// `label` is what messages call the model.
Result<Model> import(std::string_view bytes, const std::string& label, const fs::path& folder) {
  if (bytes.empty()) return invalid_input(fmt::format("\"{}\" is empty", label));
  try {
    OPBENCH_TRY(const ModelParts parts, split(bytes, label));
    auto model = read_parts(bytes, parts, folder);
    if (!model) return std::move(model).error().with("in", label);
    return model;
  } catch (const std::bad_alloc&) {
    return invalid_input(fmt::format("\"{}\" needs more memory than there is", label));
  } catch (const std::exception& e) {
    return invalid_input(fmt::format("\"{}\" cannot be read: {}", label, e.what()));
  }
}

}  // namespace

Result<Model> parse_onnx(std::string_view bytes, const std::string& name, const fs::path& folder) {
  OPBENCH_TRY(Model model, import(bytes, name, folder));
  model.name = name;
  return model;
}

Result<Model> read_onnx(const fs::path& path) {
  OPBENCH_TRY(const std::string bytes, read_file(path));
  OPBENCH_TRY(Model model, import(bytes, path.string(), path.parent_path()));
  // Names go into JSON, protobuf and names of files, which want UTF-8.
  const std::string stem = path.stem().string();
  model.name = is_utf8(stem) ? stem : printable(stem);
  model.source = path.string();
  return model;
}

}  // namespace opbench
