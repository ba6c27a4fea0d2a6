#include "engines/onednn/post_ops.h"

#include <algorithm>
#include <limits>
#include <set>

namespace opbench {
namespace {

tl::unexpected<Failure> post_ops_unsupported(const Node& node) {
  return tl::make_unexpected(
      Failure{FailureKind::kUnsupported, "oneDNN has no post-op for the step " + node.type});
}

/// A bound of Clip; `otherwise` when it is left out.
float post_ops_bound(const Graph& graph, const Node& node, size_t index, float otherwise) {
  if (node.inputs.size() <= index || node.inputs[index].empty()) return otherwise;
  const auto constant = graph.constants.find(node.inputs[index]);
  return constant == graph.constants.end() ? otherwise : constant->second.as<float>()[0];
}

bool is_eltwise(const std::string& type) {
  static const std::set<std::string> kTypes = {"Relu",      "LeakyRelu", "Elu",  "Clip", "Sigmoid",
                                               "Tanh",      "Abs",       "Exp",  "Log",  "Sqrt",
                                               "HardSwish", "Softplus",  "Round"};
  return kTypes.contains(type);
}

PostOp eltwise(const Graph& graph, const Node& node) {
  constexpr float kMost = std::numeric_limits<float>::max();
  PostOp op{PostOpKind::kEltwise, node.type, 0, 0, {}};
  if (node.type == "LeakyRelu") op.alpha = float_attribute(node, "alpha", 0.01F);
  if (node.type == "Elu") op.alpha = float_attribute(node, "alpha", 1.0F);
  if (node.type == "Clip") {
    op.alpha = post_ops_bound(graph, node, 1, -kMost);
    op.beta = post_ops_bound(graph, node, 2, kMost);
  }
  return op;
}

bool is_binary(const std::string& type) {
  static const std::set<std::string> kTypes = {"Add", "Mul", "Sub", "Div", "Max", "Min", "Sum"};
  return kTypes.contains(type);
}

bool commutes(const std::string& type) { return type != "Sub" && type != "Div"; }

}  // namespace

Outcome<std::vector<PostOp>> post_ops_of(const Workload& workload, bool can_sum) {
  const Graph& graph = workload.graph;
  std::vector<PostOp> ops;
  for (size_t i = 1; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const std::string& before = graph.nodes[i - 1].outputs[0];
    if (is_eltwise(node.type)) {
      ops.push_back(eltwise(graph, node));
      continue;
    }
    if (!is_binary(node.type) || node.inputs.size() != 2) return post_ops_unsupported(node);
    const bool is_first = node.inputs[0] == before;
    if ((!is_first && !commutes(node.type)) || node.inputs[0] == node.inputs[1]) {
      return post_ops_unsupported(node);
    }
    const std::string& operand = node.inputs[is_first ? 1 : 0];
    if (graph.types.at(node.outputs[0]) != graph.types.at(before))
      return post_ops_unsupported(node);
    const bool sums = can_sum && (node.type == "Add" || node.type == "Sum") &&
                      graph.types.at(operand) == graph.types.at(before);
    ops.push_back({sums ? PostOpKind::kSum : PostOpKind::kBinary, node.type, 0, 0, operand});
    can_sum = can_sum && !sums;
  }
  return ops;
}

}  // namespace opbench
