#pragma once

#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "model/operators/operator.h"
#include "model/passes/passes.h"

namespace opbench {

/// Seeded normal values for every graph input.
inline std::map<std::string, Tensor> random_inputs(const Graph& graph, uint64_t seed) {
  std::map<std::string, Tensor> values;
  for (const Value& input : graph.inputs) {
    Tensor tensor = Tensor::empty(graph.types.at(input.name));
    Random(seed, input.name).fill_normal(tensor.as<float>(), 1.0F);
    values.emplace(input.name, std::move(tensor));
  }
  return values;
}

/// Runs one node by its operator's reference; results enter `values`.
inline Result<void> run_node(const Model& model, const Node& node,
                             std::map<std::string, Tensor>& values) {
  const OperatorCall call = call_of(node, model.graph, model.opset);
  std::vector<TensorView> in;
  for (const std::string& name : node.inputs) {
    const auto made = values.find(name);
    const auto constant = model.graph.constants.find(name);
    TensorView view;
    const Tensor* tensor = made != values.end() ? &made->second : nullptr;
    if (tensor == nullptr && constant != model.graph.constants.end()) tensor = &constant->second;
    if (tensor != nullptr) {
      view = {tensor->type, const_cast<std::byte*>(tensor->data.data())};
    }
    in.push_back(std::move(view));
  }
  std::vector<Tensor> results;
  std::vector<TensorView> out;
  OPBENCH_TRY(const auto types, operator_of(node)->infer(call));
  for (const TensorType& type : types) results.push_back(Tensor::empty(type));
  for (Tensor& result : results) out.push_back({result.type, result.data.data()});
  OPBENCH_CHECK(operator_of(node)->run(call, in, out));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    values.insert_or_assign(node.outputs[i], std::move(results[i]));
  }
  return {};
}

/// The first graph output, node by node.
inline Result<Tensor> run_nodes(const Model& model, std::map<std::string, Tensor> values) {
  for (const Node& node : model.graph.nodes) OPBENCH_CHECK(run_node(model, node, values));
  return values.at(model.graph.outputs.at(0).name);
}

/// The first graph output, unit by unit, views in between where their operands are there.
inline Result<Tensor> run_units(const Model& model, std::map<std::string, Tensor> values) {
  const Graph& graph = model.graph;
  const auto run_views = [&]() -> Result<void> {
    for (const Node& node : graph.nodes) {
      const bool is_ready = operator_of(node)->fusion == FusionRole::kView &&
                            values.contains(node.inputs[0]) && !values.contains(node.outputs[0]);
      if (is_ready) OPBENCH_CHECK(run_node(model, node, values));
    }
    return {};
  };
  OPBENCH_CHECK(run_views());
  for (const Unit& unit : fuse(model)) {
    std::vector<Tensor> inputs;
    for (const std::string& name : unit.operands) {
      const auto constant = graph.constants.find(name);
      inputs.push_back(constant != graph.constants.end() ? constant->second : values.at(name));
    }
    OPBENCH_TRY(const Workload workload, parse_workload(text_of(unit.workload)));
    OPBENCH_TRY(Tensor result, run_reference(workload, inputs));
    values.insert_or_assign(unit.output, std::move(result));
    OPBENCH_CHECK(run_views());
  }
  return values.at(graph.outputs.at(0).name);
}

}  // namespace opbench
