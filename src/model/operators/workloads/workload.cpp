#include "model/operators/workloads/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/operators/checked_types.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

std::vector<TensorType> types_of_outputs(const Node& node, const Graph& graph) {
  std::vector<TensorType> types;
  for (const std::string& output : node.outputs) {
    types.push_back(output.empty() ? TensorType{} : graph.types.at(output));
  }
  return types;
}

}  // namespace

bool Workload::is_weight(const std::string& name) const {
  return std::ranges::find(weights, name) != weights.end();
}

double flops_of(const Workload& workload) {
  double sum = 0;
  for (const Node& node : workload.graph.nodes) {
    const OperatorDef* def = operator_of(node);
    if (def == nullptr) continue;
    const OperatorCall call = call_of(node, workload.graph, workload.opset);
    sum += def->flops(call, types_of_outputs(node, workload.graph));
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

Result<std::vector<Tensor>> run_references(const Workload& workload,
                                           const std::vector<Tensor>& inputs) {
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
    std::vector<TensorView> out;
    for (const std::string& output : node.outputs) {
      out.emplace_back();
      if (output.empty()) continue;
      Tensor& result = made[output] = Tensor::empty(graph.types.at(output));
      out.back() = {result.type, result.data.data()};
      values[output] = &result;
    }
    OPBENCH_CHECK(checked_run(*def, call, in, out));
  }
  std::vector<Tensor> results;
  for (const Value& output : graph.outputs) results.push_back(std::move(made.at(output.name)));
  return results;
}

Result<Tensor> run_reference(const Workload& workload, const std::vector<Tensor>& inputs) {
  OPBENCH_TRY(std::vector<Tensor> results, run_references(workload, inputs));
  return std::move(results.front());
}

}  // namespace opbench
