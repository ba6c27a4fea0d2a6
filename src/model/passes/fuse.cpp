#include <algorithm>
#include <iterator>
#include <optional>

#include "model/operators/operator.h"
#include "model/operators/quantised/quantization.h"
#include "model/operators/workloads/unit_workload.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// Units while they grow.
class Chains {
 public:
  explicit Chains(const Graph& graph) : graph_(graph), consumers_(consumers_of(graph)) {}

  /// Adds node `index` to the chain it continues, or starts one.
  void add(size_t index) {
    const Node& node = graph_.nodes[index];
    const OperatorDef* def = operator_of(node);
    if (def != nullptr && def->fusion == FusionRole::kView) return;
    const auto continued = chain_before(node, def);
    const size_t chain = continued.value_or(chains_.size());
    if (!continued) chains_.emplace_back();
    chains_[chain].push_back(index);
    const bool has_one_output =
        std::ranges::count_if(node.outputs, [](const auto& name) { return !name.empty(); }) == 1;
    const bool may_grow =
        has_one_output && def != nullptr && !is_other_scaling(node) &&
        (def->fusion == FusionRole::kAnchor || def->fusion == FusionRole::kElementwise);
    if (may_grow) chain_of_[node.outputs[0]] = chain;
  }

  /// The chains by their last node: there every operand of every node has been made.
  std::vector<std::vector<size_t>> in_order() && {
    std::ranges::sort(chains_, {}, [](const auto& chain) { return chain.back(); });
    return std::move(chains_);
  }

 private:
  /// The chain that an elementwise node continues: of those whose result only it reads and has the
  /// extents of its own result, the one that ends last.
  std::optional<size_t> chain_before(const Node& node, const OperatorDef* def) const {
    std::optional<size_t> best;
    if (def == nullptr || def->fusion != FusionRole::kElementwise) return best;
    for (const std::string& input : node.inputs) {
      const auto it = chain_of_.find(input);
      if (it == chain_of_.end() || !can_join(input, node)) continue;
      const Node& last = graph_.nodes[chains_[it->second].back()];
      if (last.type == "QuantizeLinear" && !is_scaling(node, 1)) continue;  // no kernel adds bytes
      if (!best || chains_[*best].back() < chains_[it->second].back()) best = it->second;
    }
    return best;
  }

  bool can_join(const std::string& input, const Node& node) const {
    const TensorType& from = graph_.types.at(input);
    const TensorType& to = graph_.types.at(node.outputs[0]);
    return consumers_.at(input).size() == 1 && !is_output(graph_, input) &&
           (from == to || (from.shape == to.shape && is_kernel_scaling(node)));
  }

  bool is_other_scaling(const Node& node) const {
    return is_scaling(node, 1) && !is_kernel_scaling(node);
  }

  // A scaling that kernels compute beside other steps: others would take those along to the
  // references.
  bool is_kernel_scaling(const Node& node) const {
    if (!is_scaling(node, 1)) return false;
    const auto is_narrow = [&](const std::string& name) {
      const DataType type = type_of(name).data_type;
      return type == DataType::kFloat32 || type == DataType::kInt8 || type == DataType::kUint8 ||
             type == DataType::kInt32;
    };
    return type_of(node.inputs[1]).size() == 1 && is_narrow(node.inputs[1]) &&
           is_narrow(node.inputs[0]) && is_narrow(node.outputs[0]);
  }

  const TensorType& type_of(const std::string& name) const {
    const auto constant = graph_.constants.find(name);
    return constant == graph_.constants.end() ? graph_.types.at(name) : constant->second.type;
  }

  const Graph& graph_;
  std::map<std::string, std::vector<size_t>> consumers_;
  std::vector<std::vector<size_t>> chains_;
  std::map<std::string, size_t> chain_of_;  ///< by the value that a growing chain makes
};

Unit unit_of(const Model& model, std::vector<size_t> nodes) {
  Unit unit;
  unit.nodes = std::move(nodes);
  unit.workload = workload_of(model.graph, unit.nodes, model.opset, unit.operands);
  const std::vector<std::string>& outputs = model.graph.nodes[unit.nodes.back()].outputs;
  unit.output = outputs[0];
  std::copy_if(outputs.begin() + 1, outputs.end(), std::back_inserter(unit.further_outputs),
               [](const std::string& name) { return !name.empty(); });
  return unit;
}

}  // namespace

std::vector<Unit> fuse(const Model& model) {
  Chains chains(model.graph);
  for (size_t i = 0; i < model.graph.nodes.size(); ++i) chains.add(i);
  std::vector<Unit> units;
  for (std::vector<size_t>& nodes : std::move(chains).in_order()) {
    units.push_back(unit_of(model, std::move(nodes)));
  }
  return units;
}

std::vector<Unit> single_nodes(const Model& model) {
  std::vector<Unit> units;
  for (size_t i = 0; i < model.graph.nodes.size(); ++i) {
    const OperatorDef* def = operator_of(model.graph.nodes[i]);
    const bool is_view = def != nullptr && def->fusion == FusionRole::kView;
    if (!is_view) units.push_back(unit_of(model, {i}));
  }
  return units;
}

}  // namespace opbench
