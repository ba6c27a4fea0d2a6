#include "engines/runtime/host_kernel.h"

#include <fmt/format.h>

#include "model/operators/checked_types.h"

namespace opbench {

Result<HostKernel> HostKernel::make(const std::string& workload, std::vector<void*> arguments,
                                    std::vector<void*> results) {
  OPBENCH_TRY(Workload parsed, parse_workload(workload));
  HostKernel kernel;
  kernel.workload_ = std::make_unique<Workload>(std::move(parsed));
  Graph& graph = kernel.workload_->graph;
  if (arguments.size() != graph.inputs.size()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" takes {} operands, got {}", workload,
                                                       graph.inputs.size(), arguments.size())};
  }
  if (results.size() != graph.outputs.size()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" has {} results, got {}", workload,
                                                       graph.outputs.size(), results.size())};
  }
  std::map<std::string, void*> memory;
  for (size_t i = 0; i < graph.inputs.size(); ++i) memory[graph.inputs[i].name] = arguments[i];
  for (auto& [name, tensor] : graph.constants) memory[name] = tensor.data.data();
  for (size_t i = 0; i < graph.outputs.size(); ++i) memory[graph.outputs[i].name] = results[i];
  for (const Node& node : graph.nodes) OPBENCH_CHECK(kernel.bind_node(node, memory));
  return kernel;
}

Result<void> HostKernel::bind_node(const Node& node, std::map<std::string, void*>& memory) {
  const Graph& graph = workload_->graph;
  NodeCall bound{operator_of(node), call_of(node, graph, workload_->opset), {}, {}};
  if (bound.definition == nullptr || bound.definition->run == nullptr) {
    return Error{ErrorCode::kInvalidInput, "no reference for operator \"" + node.type + "\""};
  }
  for (const std::string& input : node.inputs) {
    bound.inputs.push_back(input.empty() ? TensorView{}
                                         : TensorView{graph.types.at(input), memory.at(input)});
  }
  for (const std::string& output : node.outputs) {
    if (output.empty()) {
      bound.outputs.push_back({});
      continue;
    }
    const TensorType& type = graph.types.at(output);
    if (!memory.contains(output)) {
      tensors_.push_back(std::make_unique<Tensor>(Tensor::empty(type)));
      memory[output] = tensors_.back()->data.data();
    }
    bound.outputs.push_back({type, memory.at(output)});
  }
  calls_.push_back(std::move(bound));
  return {};
}

Result<void> HostKernel::run() {
  for (NodeCall& bound : calls_) {
    OPBENCH_CHECK(checked_run(*bound.definition, bound.call, bound.inputs, bound.outputs));
  }
  return {};
}

}  // namespace opbench
