#include "model/graph/onnx_functions.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "model/graph/onnx_node.h"
#include "model/graph/subgraph.h"

namespace opbench {
namespace {

// Fields younger than the headers; libprotobuf keeps them as unknown ones.
constexpr int kNodeOverload = 8;
constexpr int kFunctionOverload = 13;
constexpr int kFunctionAttributeDefault = 11;
constexpr int kDeepest = 64;
/// More nodes than any model has. Functions that call others twice each double them at every depth.
constexpr int64_t kMostNodes = 1'000'000;

/// Domain, operator, overload.
using Key = std::tuple<std::string, std::string, std::string>;

using UnknownFields = google::protobuf::UnknownFieldSet;

/// The contents of the fields with this number.
std::vector<std::string> unknown_texts(const UnknownFields& fields, int number) {
  std::vector<std::string> texts;
  for (int i = 0; i < fields.field_count(); ++i) {
    const auto& field = fields.field(i);
    if (field.number() != number) continue;
    if (field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) continue;
    texts.push_back(field.length_delimited());
  }
  return texts;
}

std::string unknown_text(const UnknownFields& fields, int number) {
  const auto texts = unknown_texts(fields, number);
  return texts.empty() ? "" : texts.back();
}

std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

Key key_of(const onnx::NodeProto& node) {
  return {plain_domain(node.domain()), node.op_type(),
          unknown_text(node.unknown_fields(), kNodeOverload)};
}

Key key_of(const onnx::FunctionProto& function) {
  return {plain_domain(function.domain()), function.name(),
          unknown_text(function.unknown_fields(), kFunctionOverload)};
}

using Functions = std::map<Key, onnx::FunctionProto>;

}  // namespace

/// The functions of a model, and how many nodes their calls have made so far, bodies included.
struct CalledFunctions {
  Functions functions;
  int64_t made = 0;
};

namespace {

BodyInliner body_inliner_at(CalledFunctions& called, ExternalData& external, int depth);

/// Replaces calls, one graph long.
class Inliner {
 public:
  Inliner(CalledFunctions& called, const Graph& graph, ExternalData& external)
      : called_(called), external_(external) {
    for (const Value& value : graph.inputs) names_.insert(value.name);
    for (const auto& [name, tensor] : graph.constants) names_.insert(name);
    for (const Node& node : graph.nodes) {
      names_.insert(node.outputs.begin(), node.outputs.end());
      const std::vector<std::string> reads = reads_of(node);
      names_.insert(reads.begin(), reads.end());  // a body's may be of the graph around it
    }
  }

  /// Appends the nodes of `function` as called by `call`.
  Result<void> expand(const Node& call, const onnx::FunctionProto& function, int depth,
                      std::vector<Node>& nodes) {
    if (depth > kDeepest) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("the function \"{}\" calls itself", function.name())};
    }
    const std::string prefix = fresh_prefix(call.name) + "/";
    OPBENCH_TRY(const Attributes attributes, attributes_of(call, function));
    auto actual = bind(call, function, prefix, nodes);
    called_.made += std::max(function.node_size(), 1);
    if (called_.made > kMostNodes) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("the calls of functions make more than {} nodes", kMostNodes)};
    }
    for (const onnx::NodeProto& proto : function.node()) {
      OPBENCH_TRY(Node node, decode_node(proto, external_, attributes,
                                         body_inliner_at(called_, external_, depth + 1)));
      node.has_subgraph = node.has_subgraph || refers_to_subgraph(proto, call);
      node.name = prefix + node.name;
      for (std::string* value : values_of(node)) {
        const auto [it, added] = actual.try_emplace(*value);
        if (added) it->second = fresh_name(prefix + *value);
        *value = it->second;
      }
      rename_inside(actual, node);
      const auto called = called_.functions.find(key_of(proto));
      if (called != called_.functions.end()) {
        OPBENCH_CHECK(expand(node, called->second, depth + 1, nodes));
      } else {
        nodes.push_back(std::move(node));
      }
    }
    return {};
  }

 private:
  using Names = std::set<std::string>;
  using Counts = std::map<std::string, int64_t>;  ///< the last number tried for a name

  /// `wanted`, or with the first number behind it that no name has.
  static std::string fresh(Names& names, Counts& counts, const std::string& wanted) {
    std::string name = wanted;
    int64_t& count = counts.try_emplace(wanted, 1).first->second;
    while (!names.insert(name).second) name = fmt::format("{}_{}", wanted, ++count);
    return name;
  }
  std::string fresh_prefix(const std::string& wanted) {
    return fresh(prefixes_, prefix_counts_, wanted);
  }
  std::string fresh_name(const std::string& wanted) { return fresh(names_, name_counts_, wanted); }

  static std::vector<std::string*> values_of(Node& node) {
    std::vector<std::string*> values;
    for (std::string& value : node.inputs) values.push_back(&value);
    for (std::string& value : node.outputs) values.push_back(&value);
    std::erase_if(values, [](const std::string* value) { return value->empty(); });
    return values;
  }

  /// What the node's bodies read of the function.
  static void rename_inside(const std::map<std::string, std::string>& actual, Node& node) {
    Node bodies;
    bodies.bodies = std::move(node.bodies);
    rename_values(actual, bodies);
    node.bodies = std::move(bodies.bodies);
  }

  static bool refers_to_subgraph(const onnx::NodeProto& proto, const Node& call) {
    return call.has_subgraph && std::ranges::any_of(proto.attribute(), [&](const auto& attribute) {
             return !attribute.ref_attr_name().empty() &&
                    !call.attributes.contains(attribute.ref_attr_name());
           });
  }

  /// The call's attributes, and the function's defaults for the others.
  Result<Attributes> attributes_of(const Node& call, const onnx::FunctionProto& function) {
    Node all;
    for (const std::string& text :
         unknown_texts(function.unknown_fields(), kFunctionAttributeDefault)) {
      onnx::AttributeProto proto;
      if (!proto.ParsePartialFromString(text)) continue;
      OPBENCH_CHECK(decode_attribute(proto, external_, {}, {}, all));
    }
    for (const auto& [name, value] : call.attributes) all.attributes[name] = value;
    return std::move(all.attributes);
  }

  /// What the function's inputs and outputs are called in the graph. An input that is handed out
  /// unchanged needs an Identity node.
  std::map<std::string, std::string> bind(const Node& call, const onnx::FunctionProto& function,
                                          const std::string& prefix, std::vector<Node>& nodes) {
    std::map<std::string, std::string> actual;
    for (int i = 0; i < function.input_size(); ++i) {
      const auto index = static_cast<size_t>(i);
      actual[function.input(i)] = index < call.inputs.size() ? call.inputs[index] : "";
    }
    for (int i = 0; i < function.output_size(); ++i) {
      const std::string& formal = function.output(i);
      const auto index = static_cast<size_t>(i);
      const bool wanted = index < call.outputs.size() && !call.outputs[index].empty();
      if (!wanted) continue;
      if (const auto it = actual.find(formal); it != actual.end()) {
        Node identity;
        identity.name = prefix + formal;
        identity.type = "Identity";
        identity.inputs = {it->second};
        identity.outputs = {call.outputs[index]};
        nodes.push_back(std::move(identity));
      } else {
        actual[formal] = call.outputs[index];
      }
    }
    return actual;
  }

  CalledFunctions& called_;
  ExternalData& external_;
  Names names_;
  Counts name_counts_;
  Names prefixes_;
  Counts prefix_counts_;
};

using Calls = std::map<size_t, Key>;  ///< by index of the node

/// Replaces the nodes of a graph that are calls.
Result<void> expand_calls(CalledFunctions& called, const Calls& calls, ExternalData& external,
                          int depth, Graph& graph) {
  if (calls.empty()) return {};
  Inliner inliner(called, graph, external);
  std::vector<Node> nodes;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (const auto it = calls.find(i); it == calls.end()) {
      nodes.push_back(std::move(graph.nodes[i]));
    } else {
      OPBENCH_CHECK(inliner.expand(graph.nodes[i], called.functions.at(it->second), depth, nodes));
    }
  }
  graph.nodes = std::move(nodes);
  return {};
}

BodyInliner body_inliner_at(CalledFunctions& called, ExternalData& external, int depth) {
  if (called.functions.empty()) return {};
  return [&called, &external, depth](const onnx::GraphProto& proto, Graph& body) {
    Calls calls;
    for (int i = 0; i < proto.node_size(); ++i) {
      const Key key = key_of(proto.node(i));
      if (called.functions.contains(key)) calls[static_cast<size_t>(i)] = key;
    }
    return expand_calls(called, calls, external, depth, body);
  };
}

}  // namespace

struct OnnxFunctions::Parts {
  CalledFunctions called;
  Calls calls;
};

OnnxFunctions::OnnxFunctions() : parts_(std::make_unique<Parts>()) {}
OnnxFunctions::OnnxFunctions(OnnxFunctions&&) noexcept = default;
OnnxFunctions& OnnxFunctions::operator=(OnnxFunctions&&) noexcept = default;
OnnxFunctions::~OnnxFunctions() = default;

Result<void> OnnxFunctions::add(std::string_view message) {
  onnx::FunctionProto function;
  if (message.size() > INT32_MAX ||
      !function.ParsePartialFromArray(message.data(), static_cast<int>(message.size()))) {
    return Error{ErrorCode::kInvalidInput, "a function is no valid FunctionProto"};
  }
  parts_->called.functions[key_of(function)] = std::move(function);
  return {};
}

bool OnnxFunctions::has(const onnx::NodeProto& node) const {
  const Functions& functions = parts_->called.functions;
  return !functions.empty() && functions.contains(key_of(node));
}

void OnnxFunctions::remember_call(const onnx::NodeProto& proto, size_t index) {
  parts_->calls[index] = key_of(proto);
}

Result<void> OnnxFunctions::inline_calls(Graph& graph, ExternalData& external) const {
  return expand_calls(parts_->called, parts_->calls, external, 1, graph);
}

BodyInliner OnnxFunctions::body_inliner(ExternalData& external) const {
  return body_inliner_at(parts_->called, external, 1);
}

std::map<std::string, int64_t> OnnxFunctions::opsets() const {
  std::map<std::string, int64_t> opsets;
  for (const auto& [key, function] : parts_->called.functions) {
    for (const auto& import : function.opset_import()) {
      int64_t& version = opsets[plain_domain(import.domain())];
      version = std::max(version, import.version());
    }
  }
  return opsets;
}

}  // namespace opbench
