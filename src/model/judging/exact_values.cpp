#include "model/judging/exact_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/tensors/converted.h"
#include "base/tensors/half.h"
#include "model/operators/checked_types.h"
#include "model/passes/evaluate.h"

namespace opbench {
namespace {

using ExactValuesValues = std::map<std::string, Tensor>;

Tensor narrowed(const Tensor& tensor) {
  if (tensor.type.data_type != DataType::kFloat64) return tensor;
  return converted<double, float>(tensor, DataType::kFloat32);
}

/// With operands rounded to float32 or in double precision. A Cast says its own result's type.
Result<std::vector<Tensor>> results_of(const Model& model, const Node& node,
                                       const std::vector<const Tensor*>& given, bool is_rounded) {
  const OperatorDef* definition = operator_of(node);
  if (definition == nullptr || definition->run == nullptr) {
    return Error{ErrorCode::kInvalidInput, "no reference for operator \"" + node.type + "\""};
  }
  std::vector<Tensor> operands(given.size());
  OperatorCall call = call_of(node, model.graph, model.opset);
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] == nullptr) continue;
    operands[i] = is_rounded ? narrowed(*given[i]) : widened(*given[i]);
    call.constants[i] = &operands[i];
    call.inputs[i] = &operands[i].type;
  }
  OPBENCH_TRY(const auto types, checked_types(*definition, call));
  return evaluate(call, types);
}

class ExactRun {
 public:
  ExactRun(const Model& model, ExactValuesValues known) : model_(model) {
    for (auto& [name, tensor] : known) values_[name] = widened(tensor);
  }

  Result<void> run(const Node& node) {
    std::vector<const Tensor*> operands;
    for (const std::string& name : node.inputs) {
      operands.push_back(name.empty() ? nullptr : value_of(name));
      if (name.empty() || operands.back() != nullptr) continue;
      return Error{ErrorCode::kInvalidInput, fmt::format("the value \"{}\" is not known", name)};
    }
    OPBENCH_TRY(std::vector<Tensor> results, exact_results(model_, node, operands));
    for (size_t i = 0; i < node.outputs.size() && i < results.size(); ++i) {
      values_[node.outputs[i]] = std::move(results[i]);
    }
    return {};
  }

  void forget(const std::string& name) { values_.erase(name); }
  bool contains(const std::string& name) const { return values_.contains(name); }
  Tensor take(const std::string& name) { return std::move(values_.at(name)); }

 private:
  const Tensor* value_of(const std::string& name) const {
    const auto made = values_.find(name);
    if (made != values_.end()) return &made->second;
    const auto constant = model_.graph.constants.find(name);
    return constant == model_.graph.constants.end() ? nullptr : &constant->second;
  }

  const Model& model_;
  ExactValuesValues values_;
};

}  // namespace

Tensor widened(const Tensor& tensor) {
  switch (tensor.type.data_type) {
    case DataType::kFloat32:
      return converted<float, double>(tensor, DataType::kFloat64);
    case DataType::kFloat16:
      return converted<Float16, double>(tensor, DataType::kFloat64);
    case DataType::kBFloat16:
      return converted<BFloat16, double>(tensor, DataType::kFloat64);
    default:
      return tensor;
  }
}

Result<std::vector<Tensor>> exact_results(const Model& model, const Node& node,
                                          const std::vector<const Tensor*>& operands) {
  Result<std::vector<Tensor>> results = results_of(model, node, operands, false);
  if (!results) results = results_of(model, node, operands, true);
  if (!results) return std::move(results).error();
  for (Tensor& result : *results) result = widened(result);
  return results;
}

std::vector<const Node*> nodes_between(const Graph& graph,
                                       const std::function<bool(const std::string&)>& is_known,
                                       const std::vector<std::string>& wanted) {
  std::set<std::string> needed(wanted.begin(), wanted.end());
  std::vector<const Node*> nodes;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool is_needed = std::ranges::any_of(node->outputs, [&](const std::string& name) {
      return needed.contains(name) && !is_known(name);
    });
    if (!is_needed) continue;
    nodes.push_back(&*node);
    needed.insert(node->inputs.begin(), node->inputs.end());
  }
  std::ranges::reverse(nodes);
  return nodes;
}

Result<ExactValuesValues> exact_values(const Model& model, ExactValuesValues known,
                                       const std::vector<std::string>& wanted,
                                       const std::atomic<bool>* cancel) {
  const auto is_known = [&](const std::string& name) { return known.contains(name); };
  const std::vector<const Node*> nodes = nodes_between(model.graph, is_known, wanted);
  std::map<std::string, size_t> last_reader;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : nodes[i]->inputs) last_reader[name] = i;
  }
  for (const std::string& name : wanted) last_reader[name] = nodes.size();
  ExactRun run(model, std::move(known));
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (cancel != nullptr && *cancel) {
      return Error{ErrorCode::kInterrupted, "interrupted while exact values were computed"};
    }
    OPBENCH_CHECK(run.run(*nodes[i]));
    for (const std::string& name : nodes[i]->inputs) {
      if (last_reader.at(name) == i) run.forget(name);
    }
  }
  ExactValuesValues result;
  for (const std::string& name : wanted) {
    if (!run.contains(name)) {
      return Error{ErrorCode::kInvalidInput, fmt::format("the value \"{}\" is not known", name)};
    }
    result.emplace(name, run.take(name));
  }
  return result;
}

}  // namespace opbench
