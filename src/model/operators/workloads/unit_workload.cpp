#include "model/operators/workloads/unit_workload.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/operators/operator.h"
#include "model/operators/quantised/quantization.h"
#include "model/operators/workloads/workload_builder.h"

namespace opbench {
namespace {

/// True for constants that belong to what is computed rather than to its data. The zero point of
/// weights does: it is 0 as a rule, and then kernels need not subtract it.
bool stays_constant(const Node& node, size_t index, const Tensor& tensor) {
  const OperatorDef* def = operator_of(node);
  if (def == nullptr || tensor.type.shape.size() > 1 || is_scaling(node, index)) return false;
  if (std::ranges::find(def->parameters, index) != def->parameters.end()) return true;
  if (weight_zero_point(node) == index) return tensor.type.size() == 1;
  return def->fusion == FusionRole::kElementwise && tensor.type.size() == 1;
}

/// One node on its way from a model into a workload.
struct ModernNode {
  Node node;
  std::map<std::string, Tensor> constants;  ///< operands that its modern form added
};

ModernNode modern(const Graph& graph, const Node& node, int64_t opset) {
  ModernNode result{node, {}};
  const OperatorDef* def = operator_of(node);
  if (def == nullptr || def->modern_form == nullptr) return result;
  result.node = def->modern_form(call_of(node, graph, opset), result.constants);
  return result;
}

/// Gives operand `index` of a node its name in the workload; `operands` notes what enters it.
void place_operand(const Graph& graph, const std::map<std::string, Tensor>& added, Node& node,
                   size_t index, WorkloadBuilder& builder, std::vector<std::string>& operands) {
  std::string& input = node.inputs[index];
  const auto own = added.find(input);
  const auto constant = graph.constants.find(input);
  const bool is_constant = constant != graph.constants.end();
  if (own != added.end()) {
    input = builder.add_constant(own->second);
  } else if (is_constant && stays_constant(node, index, constant->second)) {
    input = builder.add_constant(constant->second);
  } else {
    operands.push_back(input);
    input =
        builder.add_input(is_constant ? constant->second.type : graph.types.at(input), is_constant);
  }
}

/// Of a last step whose types cannot be inferred.
void set_types(const Graph& graph, const std::vector<std::string>& results,
               WorkloadBuilder& builder) {
  builder.set_output(graph.types.at(results.at(0)));
  for (size_t i = 1; i < results.size(); ++i) {
    if (!results[i].empty()) builder.add_output(i, graph.types.at(results[i]));
  }
}

}  // namespace

Workload workload_of(const Graph& graph, const std::vector<size_t>& indices, int64_t opset,
                     std::vector<std::string>& operands) {
  WorkloadBuilder builder;
  std::string result_before;
  operands.clear();
  for (size_t step = 0; step < indices.size(); ++step) {
    auto [node, constants] = modern(graph, graph.nodes[indices[step]], opset);
    const std::vector<std::string> results = node.outputs;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i].empty()) continue;
      if (step > 0 && node.inputs[i] == result_before) {
        node.inputs[i] = builder.previous();
      } else {
        place_operand(graph, constants, node, i, builder, operands);
      }
    }
    const bool is_last = step + 1 == indices.size();
    const auto added = builder.add_node(std::move(node), is_last);
    if (!added && is_last) set_types(graph, results, builder);
    result_before = results.at(0);
  }
  return std::move(builder).take();
}

}  // namespace opbench
