#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/tensors/tensor_size.h"
#include "model/operators/checked_types.h"
#include "model/passes/evaluate.h"
#include "model/passes/inline_branch.h"
#include "model/passes/passes.h"
#include "model/passes/unknown_operators.h"

namespace opbench {
namespace {

/// Results of at most this many elements are computed on the way when their operands are known:
/// shapes, axes and the like, which later nodes need.
constexpr int64_t kMostElements = 1024;

Result<void> add_inputs(Graph& graph) {
  for (const Value& input : graph.inputs) {
    TensorType type{input.data_type, {}};
    for (const Dimension& d : input.dimensions) {
      if (d.is_free()) {
        return Error{ErrorCode::kInvalidInput,
                     fmt::format("input \"{}\" has a free dimension \"{}\"", input.name, d.symbol)};
      }
      type.shape.push_back(d.value);
    }
    if (const auto size = check_size(type); !size) {
      return Error(size.error()).with("in", fmt::format("input \"{}\"", input.name));
    }
    graph.types[input.name] = std::move(type);
  }
  for (const auto& [name, tensor] : graph.constants) graph.types[name] = tensor.type;
  return {};
}

bool is_known_value(const Graph& graph, const std::map<std::string, Tensor>& known,
                    const std::string& name) {
  return name.empty() || graph.constants.contains(name) || known.contains(name);
}

/// True if the node waits for a value that its operator must know before the run.
bool lacks_a_parameter(const Node& node, const Graph& graph,
                       const std::map<std::string, Tensor>& known) {
  return std::ranges::any_of(operator_of(node)->parameters, [&](size_t index) {
    return index < node.inputs.size() && !is_known_value(graph, known, node.inputs[index]);
  });
}

Result<void> infer_node(const Model& model, const Node& node, Graph& graph,
                        std::map<std::string, Tensor>& known) {
  OperatorCall call = call_of(node, graph, model.opset);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const auto it = known.find(node.inputs[i]);
    if (call.constants[i] == nullptr && it != known.end()) call.constants[i] = &it->second;
  }
  const OperatorDef* def = operator_of(node);
  OPBENCH_TRY(const std::vector<TensorType> types, checked_types(*def, call));
  int64_t elements = 0;
  for (size_t i = 0; i < types.size() && i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) graph.types[node.outputs[i]] = types[i];
    elements += types[i].size();
  }
  if (elements > kMostElements || !is_known(call)) return {};
  OPBENCH_TRY(std::vector<Tensor> results, evaluate(call, types));
  for (size_t i = 0; i < results.size() && i < node.outputs.size(); ++i) {
    known.insert_or_assign(node.outputs[i], std::move(results[i]));
  }
  return {};
}

/// Puts the branch that an If node takes in its place, if its condition is known.
bool take_known_branch(Graph& graph, size_t index, const std::map<std::string, Tensor>& known) {
  const Node& node = graph.nodes[index];
  if (node.type != "If" || !node.domain.empty() || node.inputs.size() != 1) return false;
  const std::string& condition = node.inputs[0];
  auto value = known.find(condition);
  if (value == known.end()) {
    value = graph.constants.find(condition);
    if (value == graph.constants.end()) return false;
  }
  const std::vector<int64_t> elements = integers(value->second);
  if (elements.size() != 1 || !inline_branch(graph, index, elements[0] != 0)) return false;
  for (const auto& [name, tensor] : graph.constants) graph.types.try_emplace(name, tensor.type);
  return true;
}

bool has_types(const Node& node, const Graph& graph) {
  return std::ranges::all_of(node.inputs, [&](const std::string& name) {
    return name.empty() || graph.types.contains(name);
  });
}

/// The error of the first node that lacks a parameter.
Error missing_parameter(Model& model, const std::vector<size_t>& untyped) {
  std::map<std::string, Tensor> known;
  for (const size_t index : untyped) {
    const Node& node = model.graph.nodes[index];
    if (!has_types(node, model.graph)) continue;
    if (const auto inferred = infer_node(model, node, model.graph, known); !inferred) {
      model.graph.types.clear();
      return inferred.error();
    }
  }
  return {ErrorCode::kInvalidInput, "the types of some values are not known"};
}

}  // namespace

Result<void> infer_types(Model& model) {
  model.graph.types.clear();
  const auto untyped = infer_known_types(model);
  const auto known = require_known_operators(model);
  if (untyped && known)
    return untyped->empty() ? Result<void>() : missing_parameter(model, *untyped);
  model.graph.types.clear();
  // What unknown operators make has no type. Only an If may be unknown because types end before it.
  const std::vector<UnknownOperator> unknown = unknown_operators(model);
  const bool is_if = unknown.size() == 1 && unknown.front().name == "If";
  return !known && (untyped || !is_if) ? known.error() : untyped.error();
}

Result<std::vector<size_t>> infer_known_types(Model& model) {
  Graph& graph = model.graph;
  const std::map<std::string, TensorType> stated = std::exchange(graph.types, {});
  OPBENCH_CHECK(add_inputs(graph));
  std::map<std::string, Tensor> known;
  std::vector<size_t> untyped;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    while (i < graph.nodes.size() && take_known_branch(graph, i, known)) continue;
    if (i == graph.nodes.size()) break;
    const Node& node = graph.nodes[i];
    if (operator_of(node) != nullptr && has_types(node, graph)) {
      const auto inferred = infer_node(model, node, graph, known);
      if (inferred) continue;
      if (!lacks_a_parameter(node, graph, known)) return inferred.error();
    }
    untyped.push_back(i);
    for (const std::string& output : node.outputs) {
      const auto it = stated.find(output);
      if (it != stated.end()) graph.types.insert(*it);
    }
  }
  return untyped;
}

}  // namespace opbench
