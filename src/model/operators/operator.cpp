#include "model/operators/operator.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace opbench {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// `GlobalAveragePool` -> `global_average_pool`, `ReduceL1` -> `reduce_l1`, `PRelu` -> `prelu`.
std::string snake_case(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool starts_word = i > 1 || (i == 1 && !is_upper(text[0]));
    if (starts_word && is_upper(text[i]) && !is_upper(text[i - 1])) result += '_';
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  return result;
}

std::string word_of_type(const OperatorDef& def, const std::string& type) {
  if (!def.onnx_domain.empty()) return def.onnx_domain + "." + snake_case(type);
  return def.onnx_types.size() > 1 ? snake_case(type) : def.name;
}

}  // namespace

const OperatorDef* operator_of(const Node& node) {
  if (node.has_subgraph) return nullptr;
  using Key = std::pair<std::string, std::string>;  // domain, type
  static const std::map<Key, const OperatorDef*> kByType = [] {
    std::map<Key, const OperatorDef*> result;
    for (const OperatorDef& def : operator_table().all()) {
      for (const std::string& type : def.onnx_types)
        result.emplace(Key(def.onnx_domain, type), &def);
    }
    return result;
  }();
  const auto it = kByType.find({node.domain == "ai.onnx" ? "" : node.domain, node.type});
  return it == kByType.end() ? nullptr : it->second;
}

std::string word_of(const Node& node) {
  const OperatorDef* def = operator_of(node);
  return def == nullptr ? snake_case(node.type) : word_of_type(*def, node.type);
}

Result<OperatorWord> operator_of_word(const std::string& word) {
  std::vector<std::string> known;
  for (const OperatorDef& def : operator_table().all()) {
    for (const std::string& type : def.onnx_types) {
      known.push_back(word_of_type(def, type));
      if (known.back() == word) return OperatorWord{&def, type};
    }
  }
  std::ranges::sort(known);
  return unknown_name("operator", word, known);
}

Attributes normal_attributes(const OperatorCall& call) {
  const OperatorDef* def = operator_of(*call.node);
  if (def == nullptr) return call.node->attributes;
  if (def->normal_form != nullptr) return def->normal_form(call);
  Attributes result;
  for (const AttributeDef& attribute : def->attributes) {
    const auto it = call.node->attributes.find(attribute.name);
    if (it == call.node->attributes.end()) continue;
    const bool has_kind = it->second.index() == attribute.otherwise.index();
    if (has_kind && it->second != attribute.otherwise) result.insert(*it);
  }
  return result;
}

OperatorCall call_of(const Node& node, const Graph& graph, int64_t opset) {
  OperatorCall call{&node, opset, {}, {}};
  for (const std::string& input : node.inputs) {
    const auto constant = graph.constants.find(input);
    const auto type = graph.types.find(input);
    const bool is_constant = !input.empty() && constant != graph.constants.end();
    call.constants.push_back(is_constant ? &constant->second : nullptr);
    if (is_constant) {
      call.inputs.push_back(&constant->second.type);
    } else {
      call.inputs.push_back(type == graph.types.end() ? nullptr : &type->second);
    }
  }
  return call;
}

ValueRange range_of(const Graph& graph, const std::string& name) {
  for (const Node& node : graph.nodes) {
    const OperatorDef* def = operator_of(node);
    if (def == nullptr) continue;
    for (const InputDomain& domain : def->domains) {
      const bool is_read = domain.onnx_type == node.type && domain.input < node.inputs.size() &&
                           node.inputs[domain.input] == name;
      if (is_read) return domain.range;
    }
  }
  return {};
}

double bytes_of(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  double bytes = 0;
  for (const TensorType* input : call.inputs) {
    if (input != nullptr) bytes += static_cast<double>(input->bytes());
  }
  for (const TensorType& output : outputs) bytes += static_cast<double>(output.bytes());
  return bytes;
}

}  // namespace opbench
