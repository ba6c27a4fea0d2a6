#include "model/passes/unknown_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/graph/subgraph.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

constexpr size_t kMostLines = 20;

/// Counts operators in the order in which they come.
class Counter {
 public:
  explicit Counter(const Model& model) : model_(model) {}

  /// `around`: the node whose subgraph holds the node; null: none.
  void add(const Node& node, const Node* around) {
    if (operator_of(node) != nullptr) return;
    const std::string name = operator_name(node);
    const auto [place, is_new] = places_.emplace(name, operators_.size());
    if (is_new) {
      operators_.push_back(
          {.name = name, .opset = opset_of(model_, node), .first_node = node.name});
      if (around != nullptr) operators_.back().inside = around->name;
    }
    ++operators_[place->second].count;
  }

  std::vector<UnknownOperator> result() && { return std::move(operators_); }

 private:
  const Model& model_;
  std::map<std::string, size_t> places_;
  std::vector<UnknownOperator> operators_;
};

std::string line_of(const UnknownOperator& unknown) {
  std::string text =
      fmt::format("{}, opset {}: {} {}\"{}\"", unknown.name, unknown.opset,
                  unknown.count == 1 ? "node" : fmt::format("{} nodes,", unknown.count),
                  unknown.count == 1 ? "" : "first ", unknown.first_node);
  if (!unknown.inside.empty()) text += fmt::format(" in a subgraph of \"{}\"", unknown.inside);
  return text;
}

int64_t node_count(const Model& model) {
  size_t count = model.graph.nodes.size();
  for (const Node& node : model.graph.nodes) count += inner_nodes(node).size();
  return static_cast<int64_t>(count);
}

int64_t sum_of(const std::vector<UnknownOperator>& unknown, size_t begin) {
  int64_t sum = 0;
  for (size_t i = begin; i < unknown.size(); ++i) sum += unknown[i].count;
  return sum;
}

}  // namespace

std::string operator_name(const Node& node) {
  return node.domain.empty() ? node.type : fmt::format("{}.{}", node.domain, node.type);
}

int64_t opset_of(const Model& model, const Node& node) {
  if (node.domain.empty()) return model.opset;
  const auto it = model.other_opsets.find(node.domain);
  return it == model.other_opsets.end() ? 0 : it->second;
}

std::vector<UnknownOperator> unknown_operators(const Model& model) {
  Counter counter(model);
  for (const Node& node : model.graph.nodes) {
    counter.add(node, nullptr);
    for (const Node& inner : inner_nodes(node)) counter.add(inner, &node);
  }
  std::vector<UnknownOperator> unknown = std::move(counter).result();
  std::ranges::stable_sort(unknown, std::greater<>(), &UnknownOperator::count);
  return unknown;
}

Result<void> require_known_operators(const Model& model) {
  const std::vector<UnknownOperator> unknown = unknown_operators(model);
  if (unknown.empty()) return {};
  const int64_t nodes = node_count(model);
  Error error{ErrorCode::kInvalidInput,
              fmt::format("{} of {} {} an operator that the halide engine does not know",
                          sum_of(unknown, 0), nodes, nodes == 1 ? "node has" : "nodes have")};
  const size_t lines = unknown.size() <= kMostLines + 1 ? unknown.size() : kMostLines;
  for (size_t i = 0; i < lines; ++i) error.facts.push_back({"operator", line_of(unknown[i])});
  if (lines < unknown.size()) {
    error.facts.push_back({"and", fmt::format("{} more operators, {} nodes", unknown.size() - lines,
                                              sum_of(unknown, lines))});
  }
  return error;
}

}  // namespace opbench
