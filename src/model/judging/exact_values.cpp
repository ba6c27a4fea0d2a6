#include "model/judging/exact_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/operators/checked_types.h"
#include "model/passes/evaluate.h"

namespace opbench {
namespace {

using Values = std::map<std::string, Tensor>;

template <class From, class To>
Tensor converted(const Tensor& tensor, DataType from, DataType to) {
  if (tensor.type.data_type != from) return tensor;
  Tensor result = Tensor::empty({to, tensor.type.shape});
  std::ranges::transform(tensor.as<From>(), result.as<To>().begin(),
                         [](From value) { return static_cast<To>(value); });
  return result;
}

Tensor narrowed(const Tensor& tensor) {
  return converted<double, float>(tensor, DataType::kFloat64, DataType::kFloat32);
}

/// The nodes that the wanted values follow from, in the graph's order, back to the known ones.
std::vector<const Node*> nodes_between(const Graph& graph, const Values& known,
                                       const std::vector<std::string>& wanted) {
  std::set<std::string> needed(wanted.begin(), wanted.end());
  std::vector<const Node*> nodes;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool is_needed = std::ranges::any_of(node->outputs, [&](const std::string& name) {
      return needed.contains(name) && !known.contains(name);
    });
    if (!is_needed) continue;
    nodes.push_back(&*node);
    needed.insert(node->inputs.begin(), node->inputs.end());
  }
  std::ranges::reverse(nodes);
  return nodes;
}

class ExactRun {
 public:
  ExactRun(const Model& model, Values known) : model_(model) {
    for (auto& [name, tensor] : known) values_[name] = widened(tensor);
  }

  Result<void> run(const Node& node) {
    Result<std::vector<Tensor>> results = results_of(node, false);
    if (!results) results = results_of(node, true);
    if (!results) return std::move(results).error();
    for (size_t i = 0; i < node.outputs.size() && i < results->size(); ++i) {
      values_[node.outputs[i]] = widened((*results)[i]);
    }
    return {};
  }

  void forget(const std::string& name) { values_.erase(name); }
  bool contains(const std::string& name) const { return values_.contains(name); }
  Tensor take(const std::string& name) { return std::move(values_.at(name)); }

 private:
  /// With operands rounded to float32 or in double precision. A Cast says its own result's type.
  Result<std::vector<Tensor>> results_of(const Node& node, bool is_rounded) {
    const OperatorDef* definition = operator_of(node);
    if (definition == nullptr || definition->run == nullptr) {
      return Error{ErrorCode::kInvalidInput, "no reference for operator \"" + node.type + "\""};
    }
    std::vector<Tensor> operands(node.inputs.size());
    OperatorCall call = call_of(node, model_.graph, model_.opset);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i].empty()) continue;
      const Tensor* value = value_of(node.inputs[i]);
      if (value == nullptr) {
        return Error{ErrorCode::kInvalidInput,
                     fmt::format("the value \"{}\" is not known", node.inputs[i])};
      }
      operands[i] = is_rounded ? narrowed(*value) : widened(*value);
      call.constants[i] = &operands[i];
      call.inputs[i] = &operands[i].type;
    }
    OPBENCH_TRY(const auto types, checked_types(*definition, call));
    return evaluate(call, types);
  }

  const Tensor* value_of(const std::string& name) const {
    const auto made = values_.find(name);
    if (made != values_.end()) return &made->second;
    const auto constant = model_.graph.constants.find(name);
    return constant == model_.graph.constants.end() ? nullptr : &constant->second;
  }

  const Model& model_;
  Values values_;
};

}  // namespace

Tensor widened(const Tensor& tensor) {
  return converted<float, double>(tensor, DataType::kFloat32, DataType::kFloat64);
}

Result<Values> exact_values(const Model& model, Values known,
                            const std::vector<std::string>& wanted,
                            const std::atomic<bool>* cancel) {
  const std::vector<const Node*> nodes = nodes_between(model.graph, known, wanted);
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
  Values result;
  for (const std::string& name : wanted) {
    if (!run.contains(name)) {
      return Error{ErrorCode::kInvalidInput, fmt::format("the value \"{}\" is not known", name)};
    }
    result.emplace(name, run.take(name));
  }
  return result;
}

}  // namespace opbench
