#include "model/operators/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/operators/operator.h"

namespace opbench {
bool Workload::is_weight(const std::string& name) const {
  return std::ranges::find(weights, name) != weights.end();
}

double flops_of(const Workload& workload) {
  double sum = 0;
  for (const Node& node : workload.graph.nodes) {
    const OperatorDef* def = operator_of(node);
    if (def == nullptr) continue;
    const OperatorCall call = call_of(node, workload.graph, workload.opset);
    sum += def->flops(call, {workload.graph.types.at(node.outputs[0])});
  }
  return sum;
}

double bytes_of(const Workload& workload) {
  const Graph& graph = workload.graph;
  double sum = 0;
  for (const Value& value : graph.inputs) {
    sum += static_cast<double>(graph.types.at(value.name).bytes());
  }
  for (const Value& value : graph.outputs) {
    sum += static_cast<double>(graph.types.at(value.name).bytes());
  }
  for (const auto& [name, tensor] : graph.constants) {
    sum += static_cast<double>(tensor.type.bytes());
  }
  return sum;
}

Result<Tensor> run_reference(const Workload& workload, const std::vector<Tensor>& inputs) {
  const Graph& graph = workload.graph;
  if (inputs.size() != graph.inputs.size()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"{}\" takes {} operands, got {}", text_of(workload),
                             graph.inputs.size(), inputs.size())};
  }
  std::map<std::string, const Tensor*> values;
  for (size_t i = 0; i < inputs.size(); ++i) values[graph.inputs[i].name] = &inputs[i];
  for (const auto& [name, tensor] : graph.constants) values[name] = &tensor;
  std::map<std::string, Tensor> made;
  for (const Node& node : graph.nodes) {
    const OperatorDef* def = operator_of(node);
    if (def == nullptr) return unknown_name("operator", node.type, {});
    OperatorCall call = call_of(node, graph, workload.opset);
    std::vector<TensorView> in;
    for (const std::string& input : node.inputs) {
      if (input.empty()) {
        in.emplace_back();
        continue;
      }
      const Tensor& tensor = *values.at(input);
      in.push_back({tensor.type, const_cast<std::byte*>(tensor.data.data())});
    }
    const std::string& output = node.outputs[0];
    Tensor& result = made[output] = Tensor::empty(graph.types.at(output));
    const std::vector<TensorView> out{{result.type, result.data.data()}};
    OPBENCH_CHECK(def->run(call, in, out));
    values[output] = &result;
  }
  return std::move(made.at("y"));
}

}  // namespace opbench
