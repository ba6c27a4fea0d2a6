#include "model/passes/free_outline.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "model/operators/operator.h"
#include "model/passes/evaluate.h"

namespace opbench {
namespace {

/// A constant with fewer elements is copied: that costs as much as to leave it out.
constexpr int64_t kFewElements = 1024;

/// split_recurrent makes other constants of theirs.
constexpr std::array<std::string_view, 3> kRecurrent = {"LSTM", "GRU", "RNN"};

bool is_shape_query(const Node& node) { return node.type == "Shape" || node.type == "Size"; }

/// Where values come from, and which of them passes must see.
class ValueSources {
 public:
  explicit ValueSources(const Graph& graph) : graph_(graph) {
    for (const auto& [name, constant] : graph.constants) fixed_.insert(name);
    known_ = fixed_;
    for (const Node& node : graph.nodes) add(node);
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
      if (makes_seen(*node)) see_all(*node);
    }
  }

  bool is_seen(const std::string& name) const { return seen_.contains(name); }
  std::set<std::string> fixed() && { return std::move(fixed_); }

 private:
  static bool all_in(const std::set<std::string>& names, const Node& node) {
    return std::ranges::all_of(
        node.inputs, [&](const std::string& name) { return name.empty() || names.contains(name); });
  }

  void add(const Node& node) {
    const OperatorDef* const definition = operator_of(node);
    if (!node.bodies.empty() || definition == nullptr) {
      see_all(node);
      for (const auto& [attribute, body] : node.bodies) see_all(body.graph());
      return;
    }
    const bool is_fixed = all_in(fixed_, node);
    const bool is_known = is_shape_query(node) || all_in(known_, node);
    if (is_fixed) fixed_.insert(node.outputs.begin(), node.outputs.end());
    if (is_known) known_.insert(node.outputs.begin(), node.outputs.end());
    const bool is_of_extents = is_known && !is_fixed && !is_shape_query(node);
    if (is_of_extents || std::ranges::count(kRecurrent, node.type) > 0) see_all(node);
    for (const size_t parameter : definition->parameters) {
      if (parameter < node.inputs.size()) see(node.inputs[parameter]);
    }
  }

  void see(const std::string& name) {
    if (!name.empty()) seen_.insert(name);
  }

  void see_all(const Node& node) {
    for (const std::string& name : node.inputs) see(name);
  }

  void see_all(const Graph& body) {
    for (const Node& node : body.nodes) {
      see_all(node);
      for (const auto& [attribute, inner] : node.bodies) see_all(inner.graph());
    }
    for (const Value& output : body.outputs) see(output.name);
  }

  bool makes_seen(const Node& node) const {
    return !is_shape_query(node) && std::ranges::any_of(node.outputs, [&](const std::string& name) {
      return seen_.contains(name);
    }) && all_in(known_, node);
  }

  const Graph& graph_;
  std::set<std::string> fixed_, known_, seen_;
};

}  // namespace

FreeOutline free_outline(const Model& model) {
  ValueSources values(model.graph);
  FreeOutline outline;
  Model& copy = outline.model;
  copy.name = model.name;
  copy.source = model.source;
  copy.sha256 = model.sha256;
  copy.ir_version = model.ir_version;
  copy.opset = model.opset;
  copy.other_opsets = model.other_opsets;
  copy.file_bytes = model.file_bytes;
  copy.graph.name = model.graph.name;
  copy.graph.nodes = model.graph.nodes;
  copy.graph.inputs = model.graph.inputs;
  copy.graph.outputs = model.graph.outputs;
  for (const auto& [name, constant] : model.graph.constants) {
    const bool is_kept = values.is_seen(name) || constant.type.shape.size() < 2 ||
                         constant.type.size() < kFewElements;
    if (is_kept) {
      copy.graph.constants.emplace(name, constant);
    } else {
      copy.graph.constants.emplace(name, Tensor{constant.type, {}});
    }
  }
  for (Value& output : copy.graph.outputs) {
    output.has_shape = false;
    output.dimensions.clear();
  }
  outline.fixed = std::move(values).fixed();
  return outline;
}

Model outline_at(const FreeOutline& outline, const Model& model) {
  Model bound = outline.model;
  bound.graph.inputs = model.graph.inputs;
  return bound;
}

}  // namespace opbench
