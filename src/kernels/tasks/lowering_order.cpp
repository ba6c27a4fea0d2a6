#include "kernels/tasks/lowering_order.h"

#include <algorithm>
#include <map>
#include <optional>

#include "model/operators/operator.h"

namespace opbench {
namespace {

bool is_elementwise(const Node& node) {
  if (node.domain.empty() && node.type == "BatchNormalization") return true;
  const OperatorDef* def = operator_of(node);
  return def != nullptr && def->fusion == FusionRole::kElementwise;
}

/// Where all paths from a node meet again, the nearest such node.
struct Meeting {
  std::optional<size_t> node;   ///< none if a path ends, at an output
  bool is_elementwise = false;  ///< the nodes after the first, with edges of one shape
  size_t depth = 0;
};

class LoweringOrder {
 public:
  LoweringOrder(const Graph& graph, const std::function<bool(const Node&)>& is_anchor)
      : graph_(graph),
        is_anchor_(is_anchor),
        readers_(graph.nodes.size()),
        meetings_(graph.nodes.size()),
        owners_(graph.nodes.size()) {
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const std::string& output : graph.nodes[i].outputs) makers_[output] = i;
    }
    walk();
    for (const size_t node : order_) {
      for (const size_t operand : operands_of(node)) readers_[operand].push_back(node);
    }
  }

  std::vector<size_t> find(bool is_fused) {
    std::ranges::for_each(order_.rbegin(), order_.rend(), [&](size_t n) { find_meeting(n); });
    std::map<size_t, size_t> anchor_at;  // by the last node of its operator
    for (const size_t node : order_) {
      if (is_anchor_(graph_.nodes[node])) owners_[node] = node;
      if (!owners_[node]) continue;
      if (is_fused && may_grow(node)) {
        owners_[*meetings_[node].node] = owners_[node];
      } else {
        anchor_at[node] = *owners_[node];
      }
    }
    std::vector<size_t> result;
    for (const size_t node : order_) {
      if (const auto it = anchor_at.find(node); it != anchor_at.end()) result.push_back(it->second);
    }
    return result;
  }

 private:
  std::vector<size_t> operands_of(size_t node) const {
    std::vector<size_t> result;
    for (const std::string& input : graph_.nodes[node].inputs) {
      const auto maker = makers_.find(input);
      if (!input.empty() && maker != makers_.end()) result.push_back(maker->second);
    }
    return result;
  }

  /// Post-order from every output, with a stack of its own: models may be deep.
  void walk() {
    std::vector<bool> is_seen(graph_.nodes.size());
    struct Visit {
      size_t node;
      std::vector<size_t> operands;
      size_t next = 0;
    };
    for (const Value& output : graph_.outputs) {
      const auto maker = makers_.find(output.name);
      if (maker == makers_.end() || is_seen[maker->second]) continue;
      is_seen[maker->second] = true;
      std::vector<Visit> stack{{maker->second, operands_of(maker->second)}};
      while (!stack.empty()) {
        Visit& visit = stack.back();
        if (visit.next == visit.operands.size()) {
          order_.push_back(visit.node);
          stack.pop_back();
          continue;
        }
        const size_t operand = visit.operands[visit.next++];
        if (is_seen[operand]) continue;
        is_seen[operand] = true;
        stack.push_back({operand, operands_of(operand)});
      }
    }
  }

  bool makes_output(size_t node) const {
    return std::ranges::any_of(graph_.nodes[node].outputs, [&](const std::string& output) {
      return is_output(graph_, output);
    });
  }

  const Shape& shape_of(size_t node) const {
    return graph_.types.at(graph_.nodes[node].outputs.at(0)).shape;
  }

  /// Climbs from two nodes to where they meet (Cooper, Harvey, Kennedy 2001, by depth).
  Meeting join(Meeting a, Meeting b) const {
    a.is_elementwise = a.is_elementwise && b.is_elementwise;
    while (a.node && b.node && *a.node != *b.node) {
      Meeting& deeper = a.depth >= b.depth ? a : b;
      const Meeting& next = meetings_[*deeper.node];
      a.is_elementwise = a.is_elementwise && next.is_elementwise;
      deeper.node = next.node;
      deeper.depth = next.depth;
    }
    if (!b.node) a.node.reset();
    return a;
  }

  /// Of the nodes behind `node` all are known. `depth` is that of the meeting node.
  void find_meeting(size_t node) {
    if (makes_output(node) || readers_[node].empty()) return;
    std::optional<Meeting> joined;
    for (const size_t reader : readers_[node]) {
      const bool fits = is_elementwise(graph_.nodes[reader]) && shape_of(reader) == shape_of(node);
      const Meeting next{reader, fits, depth_of(reader)};
      joined = joined ? join(*joined, next) : next;
    }
    meetings_[node] = *joined;
  }

  size_t depth_of(size_t node) const {
    return meetings_[node].node ? meetings_[node].depth + 1 : 1;
  }

  bool may_grow(size_t node) const {
    const Meeting& meeting = meetings_[node];
    return meeting.node && meeting.is_elementwise && is_free(node, *meeting.node);
  }

  /// No node on a path to `last` is part of another anchor's operator.
  bool is_free(size_t node, size_t last) const {
    std::vector<size_t> rest = readers_[node];
    while (!rest.empty()) {
      const size_t next = rest.back();
      rest.pop_back();
      if (owners_[next]) return false;
      if (next != last) rest.insert(rest.end(), readers_[next].begin(), readers_[next].end());
    }
    return true;
  }

  const Graph& graph_;
  const std::function<bool(const Node&)>& is_anchor_;
  std::map<std::string, size_t> makers_;
  std::vector<size_t> order_;
  std::vector<std::vector<size_t>> readers_;
  std::vector<Meeting> meetings_;
  std::vector<std::optional<size_t>> owners_;  ///< the anchor whose operator a node ends
};

}  // namespace

std::vector<size_t> lowering_order(const Graph& graph,
                                   const std::function<bool(const Node&)>& is_anchor,
                                   bool is_fused) {
  return LoweringOrder(graph, is_anchor).find(is_fused);
}

}  // namespace opbench
