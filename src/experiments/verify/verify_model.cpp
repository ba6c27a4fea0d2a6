#include "experiments/verify/verify_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/files/file.h"
#include "experiments/sessions/model/expected_data.h"
#include "model/graph/onnx_file.h"
#include "model/graph/onnx_inputs.h"
#include "model/operators/operator.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

void bind_extents(Graph& graph, const NamedTensors& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Value& input = graph.inputs[i];
    input.has_shape = true;
    input.dimensions.clear();
    for (const int64_t extent : inputs[i].second.type.shape) {
      input.dimensions.push_back({extent, ""});
    }
  }
}

/// The files by their inputs. More of them than the graph has are of all inputs that the model's
/// file states: those of initialisers take the place of their values.
Result<NamedTensors> read_inputs(const VerifyCase& wanted, Graph& graph) {
  if (wanted.inputs.size() <= graph.inputs.size()) {
    return read_values(wanted.inputs, graph.inputs, "input");
  }
  OPBENCH_TRY(const std::string bytes, read_file(wanted.model));
  const std::vector<Value> stated = stated_inputs(bytes);
  const bool has_defaults = wanted.inputs.size() <= stated.size();
  OPBENCH_TRY(NamedTensors inputs,
              read_values(wanted.inputs, has_defaults ? stated : graph.inputs, "input"));
  for (auto& [name, tensor] : inputs) {
    const auto constant = graph.constants.find(name);
    if (constant == graph.constants.end()) continue;
    if (tensor.type.data_type != constant->second.type.data_type) {
      return invalid_input(fmt::format("input \"{}\" is {}, its values are {}", name,
                                       name_of(constant->second.type.data_type),
                                       name_of(tensor.type.data_type)));
    }
    constant->second = std::move(tensor);
  }
  std::erase_if(inputs, [&](const auto& input) { return graph.constants.contains(input.first); });
  return inputs;
}

/// The inputs at places that an operator must know before the run.
std::set<std::string> parameters_of(const Graph& graph) {
  std::set<std::string> names;
  for (const Node& node : graph.nodes) {
    const OperatorDef* definition = operator_of(node);
    if (definition == nullptr) continue;
    for (const size_t index : definition->parameters) {
      if (index < node.inputs.size()) names.insert(node.inputs[index]);
    }
  }
  return names;
}

using IsConstant = std::function<bool(const std::string& name, const Tensor& value)>;

/// The model with some of its inputs made constants, and its types.
Result<void> with_constants(const Model& model, const NamedTensors& inputs,
                            const IsConstant& is_constant, VerifyModel& result) {
  result.model = model;
  result.inputs.clear();
  Graph& graph = result.model.graph;
  std::vector<Value> kept;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const auto& [name, tensor] = inputs[i];
    if (is_constant(name, tensor)) {
      graph.constants.emplace(name, tensor);
    } else {
      kept.push_back(graph.inputs[i]);
      result.inputs.push_back(inputs[i]);
    }
  }
  graph.inputs = std::move(kept);
  return infer_types(result.model);
}

bool is_whole(const Tensor& tensor) { return tensor.type.size() == 0 || !integers(tensor).empty(); }

}  // namespace

Result<VerifyModel> load_case(const VerifyCase& wanted) {
  OPBENCH_TRY(Model model, read_onnx(wanted.model));
  OPBENCH_TRY(const NamedTensors inputs, read_inputs(wanted, model.graph));
  if (inputs.size() < model.graph.inputs.size()) {
    return invalid_input(
        fmt::format("no values for input \"{}\"", model.graph.inputs[inputs.size()].name));
  }
  VerifyModel result;
  OPBENCH_TRY(result.expected, read_values(wanted.outputs, model.graph.outputs, "output"));
  bind_extents(model.graph, inputs);
  drop_unread_results(model);
  const std::set<std::string> parameters = parameters_of(model.graph);
  const std::vector<IsConstant> attempts = {
      [&](const std::string& name, const Tensor&) { return parameters.contains(name); },
      [](const std::string&, const Tensor& value) { return is_whole(value); },
      [](const std::string&, const Tensor&) { return true; }};
  VerifyModel first;
  for (size_t i = 0; i < attempts.size(); ++i) {
    VerifyModel attempt;
    attempt.expected = result.expected;
    const Result<void> types = with_constants(model, inputs, attempts[i], attempt);
    attempt.has_types = types.has_value();
    if (!types) attempt.types_error = types.error();
    if (attempt.has_types) return attempt;
    if (i == 0) first = std::move(attempt);
  }
  return first;
}

}  // namespace opbench
