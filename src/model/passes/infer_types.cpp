#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/tensors/tensor_size.h"
#include "model/operators/checked_types.h"
#include "model/passes/control_flow.h"
#include "model/passes/evaluate.h"
#include "model/passes/old_forms.h"
#include "model/passes/passes.h"
#include "model/passes/unknown_operators.h"

namespace opbench {
namespace {

/// Results of at most this many elements are computed on the way when their operands are known:
/// shapes, axes and the like, which later nodes need.
constexpr int64_t kMostElements = 1024;

Result<void> add_inputs(Graph& graph) {
  for (const Value& input : graph.inputs) {
    TensorType type{input.data_type, {}};
    for (const Dimension& d : input.dimensions) {
      if (d.is_free()) {
        return Error{ErrorCode::kInvalidInput,
                     fmt::format("input \"{}\" has a free dimension \"{}\"", input.name, d.symbol)};
      }
      type.shape.push_back(d.value);
    }
    if (const auto size = check_size(type); !size) {
      return Error(size.error()).with("in", fmt::format("input \"{}\"", input.name));
    }
    graph.types[input.name] = std::move(type);
  }
  for (const auto& [name, tensor] : graph.constants) graph.types[name] = tensor.type;
  return {};
}

bool is_known_value(const Graph& graph, const KnownValues& known, const std::string& name) {
  return name.empty() || graph.constants.contains(name) || known.contains(name);
}

/// True if the node waits for a value that its operator must know before the run.
bool lacks_a_parameter(const Node& node, const Graph& graph, const KnownValues& known) {
  return std::ranges::any_of(operator_of(node)->parameters, [&](size_t index) {
    return index < node.inputs.size() && !is_known_value(graph, known, node.inputs[index]);
  });
}

Result<void> infer_node(const Model& model, const Node& node, Graph& graph, KnownValues& known) {
  OperatorCall call = call_of(node, graph, model.opset);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const auto it = known.find(node.inputs[i]);
    if (call.constants[i] == nullptr && it != known.end()) call.constants[i] = &it->second;
  }
  const OperatorDef* def = operator_of(node);
  OPBENCH_TRY(const std::vector<TensorType> types, checked_types(*def, call));
  for (size_t i = types.size(); i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} \"{}\": it has no output {}, which makes \"{}\"", node.type,
                             node.name, i, node.outputs[i])};
  }
  int64_t elements = 0;
  for (size_t i = 0; i < types.size() && i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) graph.types[node.outputs[i]] = types[i];
    elements += types[i].size();
  }
  if (elements > kMostElements || !is_known(call)) return {};
  OPBENCH_TRY(std::vector<Tensor> results, evaluate(call, types));
  for (size_t i = 0; i < results.size() && i < node.outputs.size(); ++i) {
    known.insert_or_assign(node.outputs[i], std::move(results[i]));
  }
  return {};
}

bool has_types(const Node& node, const Graph& graph) {
  return std::ranges::all_of(node.inputs, [&](const std::string& name) {
    return name.empty() || graph.types.contains(name);
  });
}

/// The error of the first node that lacks a parameter.
Error missing_parameter(Model& model, const std::vector<size_t>& untyped) {
  KnownValues known;
  for (const size_t index : untyped) {
    const Node& node = model.graph.nodes[index];
    if (!has_types(node, model.graph)) continue;
    if (const auto inferred = infer_node(model, node, model.graph, known); !inferred) {
      model.graph.types.clear();
      return inferred.error();
    }
  }
  return {ErrorCode::kInvalidInput, "the types of some values are not known"};
}

/// Whether both branches make values of one type: a remark says that both run. Else the node that
/// asks for the choice is stuck.
bool accept_choice(Model& model, const RunChoice& choice, StuckNodes& stuck) {
  const Graph& graph = model.graph;
  const auto a = graph.types.find(choice.of_then), b = graph.types.find(choice.of_else);
  if (a == graph.types.end() || b == graph.types.end()) return false;
  if (a->second == b->second) {
    const std::string remark = fmt::format(
        "If \"{}\" is decided by the run: both of its branches run, and their times count",
        choice.node);
    if (std::ranges::find(model.remarks, remark) == model.remarks.end())
      model.remarks.push_back(remark);
    return true;
  }
  const auto text = [](const TensorType& type) {
    return fmt::format("{}:{}", shape_text(type.shape), name_of(type.data_type));
  };
  stuck[choice.of_then] = {"If", choice.node,
                           fmt::format("makes {} or {}, by a condition (\"{}\") that is only "
                                       "known in the run",
                                       text(a->second), text(b->second), choice.condition),
                           deciding_inputs(graph, choice.condition)};
  return false;
}

/// What one pass over the nodes found.
struct Inferred {
  std::vector<size_t> untyped;
  StuckNodes stuck;
  bool is_torn = false;
};

/// The nodes and constants of a graph before control flow changes them.
class Snapshot {
 public:
  explicit Snapshot(const Graph& graph) : nodes_(graph.nodes) {
    for (const auto& [name, tensor] : graph.constants) constants_.insert(name);
  }

  void restore(Graph& graph) const {
    graph.nodes = nodes_;
    std::erase_if(graph.constants,
                  [&](const auto& entry) { return !constants_.contains(entry.first); });
  }

 private:
  std::vector<Node> nodes_;
  std::set<std::string> constants_;
};

/// What `node` stands for, to be looked at next; nothing where it stays.
std::optional<std::vector<Node>> expand(ControlFlow& control, const Model& model,
                                        const Node& node) {
  if (auto nodes = control.expand(node)) return nodes;
  if (!has_types(node, model.graph)) return {};
  return modern_nodes(model.graph, model.opset, node);
}

/// Takes the nodes in order. Those that control flow and old forms become come next. The graph
/// keeps its nodes after an error, too.
Result<Inferred> infer_nodes(Model& model, bool unrolls) {
  Graph& graph = model.graph;
  const std::map<std::string, TensorType> stated = std::exchange(graph.types, {});
  OPBENCH_CHECK(add_inputs(graph));
  KnownValues known;
  ControlFlow control(graph, model.opset, known, unrolls);
  Inferred result;
  std::vector<Node> waiting(std::make_move_iterator(graph.nodes.rbegin()),
                            std::make_move_iterator(graph.nodes.rend()));
  graph.nodes.clear();
  while (!waiting.empty()) {
    Node next = std::move(waiting.back());
    waiting.pop_back();
    if (auto nodes = expand(control, model, next)) {
      std::move(nodes->rbegin(), nodes->rend(), std::back_inserter(waiting));
      continue;
    }
    const Node& node = graph.nodes.emplace_back(std::move(next));
    const RunChoice* choice = control.choice_of(node);
    const bool is_refused = choice != nullptr && !accept_choice(model, *choice, result.stuck);
    if (!is_refused && operator_of(node) != nullptr && has_types(node, graph)) {
      const auto inferred = infer_node(model, node, graph, known);
      if (inferred) continue;
      if (!lacks_a_parameter(node, graph, known)) {
        std::move(waiting.rbegin(), waiting.rend(), std::back_inserter(graph.nodes));
        return inferred.error();
      }
    }
    result.untyped.push_back(graph.nodes.size() - 1);
    for (const std::string& output : node.outputs) {
      const auto it = stated.find(output);
      if (it != stated.end()) graph.types.insert(*it);
    }
  }
  result.stuck.insert(control.stuck().begin(), control.stuck().end());
  result.is_torn = control.is_torn();
  return result;
}

/// A graph with a loop that cannot be unrolled to its end keeps its loops.
Result<Inferred> infer_known(Model& model) {
  if (std::ranges::none_of(model.graph.nodes, is_control_flow)) return infer_nodes(model, false);
  const Snapshot before(model.graph);
  const std::map<std::string, TensorType> stated = model.graph.types;
  auto inferred = infer_nodes(model, true);
  if (inferred && !inferred->is_torn) return inferred;
  before.restore(model.graph);
  if (!inferred) return inferred;
  model.graph.types = stated;
  auto whole = infer_nodes(model, false);
  if (!whole) before.restore(model.graph);
  if (whole) whole->stuck.insert(inferred->stuck.begin(), inferred->stuck.end());
  return whole;
}

}  // namespace

Result<void> infer_types(Model& model) {
  model.graph.types.clear();
  auto inferred = infer_known(model);
  const std::vector<UnknownOperator> unknown = unknown_operators(model);
  const bool is_control_flow_alone = std::ranges::all_of(unknown, [](const auto& each) {
    return each.name == "If" || each.name == "Loop" || each.name == "Scan";
  });
  if (inferred && unknown.empty() && inferred->stuck.empty()) {
    if (inferred->untyped.empty()) return {};
    return missing_parameter(model, inferred->untyped);
  }
  // What unknown operators make has no type.
  if (inferred && is_control_flow_alone) {
    Error error = refuse_control_flow(model.graph, inferred->stuck);
    model.graph.types.clear();
    return error;
  }
  model.graph.types.clear();
  if (!inferred && is_control_flow_alone) return inferred.error();
  return require_known_operators(model);
}

Result<std::vector<size_t>> infer_known_types(Model& model) {
  OPBENCH_TRY(Inferred inferred, infer_known(model));
  return std::move(inferred.untyped);
}

}  // namespace opbench
