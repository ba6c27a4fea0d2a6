#include "experiments/sessions/model/fixed_lengths.h"

#include <algorithm>
#include <optional>
#include <string>

#include "experiments/sessions/model/literal_tensor.h"
#include "model/operators/attention/group_query_request.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// The input that says the total length; nothing where that is no input of the model, or given.
std::optional<std::string> seeded_length(const Node& node, const Graph& graph,
                                         const std::set<std::string>& given) {
  const bool has_length = node.type == "GroupQueryAttention" && node.domain == "com.microsoft" &&
                          node.inputs.size() > kGroupTotalLength;
  if (!has_length) return {};
  const std::string& name = node.inputs[kGroupTotalLength];
  const bool is_input = std::ranges::find(graph.inputs, name, &Value::name) != graph.inputs.end();
  return is_input && !given.contains(name) ? std::optional(name) : std::nullopt;
}

int64_t extent_of_type(const Graph& graph, const std::string& name, size_t axis) {
  const auto type = graph.types.find(name);
  return type == graph.types.end() || type->second.shape.size() <= axis ? 0
                                                                        : type->second.shape[axis];
}

}  // namespace

Result<std::set<std::string>> fix_total_lengths(Model& model, const std::set<std::string>& given) {
  Graph& graph = model.graph;
  std::set<std::string> fixed;
  const auto asks = [&](const Node& node) { return seeded_length(node, graph, given).has_value(); };
  if (std::ranges::none_of(graph.nodes, asks)) return fixed;
  (void)infer_known_types(model);  // of queries that the model computes
  for (const Node& node : graph.nodes) {
    const auto name = seeded_length(node, graph, given);
    if (!name) continue;
    const int64_t steps = extent_of_type(graph, node.inputs[kGroupQuery], 1);
    if (steps == 0) continue;
    const int64_t past = extent_of_type(graph, node.inputs[kGroupPastKey], 2);
    const auto input = std::ranges::find(graph.inputs, *name, &Value::name);
    TensorType type{input->data_type, {}};
    for (const Dimension& dimension : input->dimensions) type.shape.push_back(dimension.value);
    OPBENCH_TRY(Tensor total, literal_tensor(std::to_string(past + steps), type, *name));
    graph.constants.emplace(*name, std::move(total));
    graph.inputs.erase(input);
    fixed.insert(*name);
  }
  return fixed;
}

}  // namespace opbench
