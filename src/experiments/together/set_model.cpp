#include "experiments/together/set_model.h"

#include <algorithm>
#include <string>

#include "experiments/sessions/model/model_source.h"

namespace opbench {
namespace {

void rename(std::string& name, const std::string& prefix) {
  if (!name.empty()) name = prefix + name;  // an omitted operand has no name
}

/// Units come without branches and loops: names stand in no subgraph.
void add_half(Model half, const std::string& prefix, Model& model) {
  Graph& graph = model.graph;
  for (auto* values : {&half.graph.inputs, &half.graph.outputs}) {
    for (Value& value : *values) rename(value.name, prefix);
  }
  for (Node& node : half.graph.nodes) {
    node.name = prefix + node.name;
    for (std::string& name : node.inputs) rename(name, prefix);
    for (std::string& name : node.outputs) rename(name, prefix);
    graph.nodes.push_back(std::move(node));
  }
  for (auto& [name, tensor] : half.graph.constants) {
    graph.constants[prefix + name] = std::move(tensor);
  }
  for (auto& [name, type] : half.graph.types) graph.types[prefix + name] = std::move(type);
  std::ranges::move(half.graph.inputs, std::back_inserter(graph.inputs));
  std::ranges::move(half.graph.outputs, std::back_inserter(graph.outputs));
  model.opset = std::max(model.opset, half.opset);
  model.ir_version = std::max(model.ir_version, half.ir_version);
  model.other_opsets.insert(half.other_opsets.begin(), half.other_opsets.end());
}

}  // namespace

Model model_of_set(const std::array<KernelSpec, 2>& units, uint64_t seed) {
  Model model;
  model.name = "together";
  model.graph.name = "together";
  add_half(model_of_workload(units[0].workload, seed), "a_", model);
  add_half(model_of_workload(units[1].workload, seed + 1), "b_", model);
  return model;
}

}  // namespace opbench
