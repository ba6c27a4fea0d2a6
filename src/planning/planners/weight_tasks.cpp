#include "planning/planners/weight_tasks.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace opbench {
namespace {

using Edges = std::vector<std::vector<int>>;

/// For every unit its group: equal for units of the same weights.
std::vector<int> weight_tasks_groups_of(const UnitGraph& graph) {
  std::map<int, int> of_weights;
  std::vector<int> groups;
  int count = 0;
  for (const GraphUnit& unit : graph.units) {
    if (unit.weights == GraphUnit::kNoWeights) {
      groups.push_back(count++);
      continue;
    }
    const auto [place, is_new] = of_weights.emplace(unit.weights, count);
    if (is_new) ++count;
    groups.push_back(place->second);
  }
  return groups;
}

Edges edges_between(const UnitGraph& graph, const std::vector<int>& groups) {
  Edges edges(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.units[i].needs) {
      const int from = groups[static_cast<size_t>(need.unit)];
      if (from != groups[i]) edges[static_cast<size_t>(from)].push_back(groups[i]);
    }
  }
  return edges;
}

/// Strongly connected components (Tarjan, 1972), without recursion: graphs have thousands of nodes.
class Components {
 public:
  explicit Components(const Edges& edges)
      : edges_(edges), index_(edges.size(), -1), low_(edges.size()), of_(edges.size(), -1) {
    for (size_t node = 0; node < edges.size(); ++node) {
      if (index_[node] < 0) visit(node);
    }
    // The algorithm finds a component after all that lead on from it.
    for (int& component : of_) component = found_ - 1 - component;
  }

  /// By node; a component's number is smaller than those of all that it leads to.
  const std::vector<int>& of_nodes() const { return of_; }

 private:
  void enter(size_t node) {
    index_[node] = low_[node] = next_++;
    open_.push_back(node);
    path_.emplace_back(node, 0);
  }

  void visit(size_t root) {
    enter(root);
    while (!path_.empty()) {
      auto& [node, at] = path_.back();
      if (at < edges_[node].size()) {
        const auto other = static_cast<size_t>(edges_[node][at++]);
        if (index_[other] < 0) {
          enter(other);
        } else if (of_[other] < 0) {
          low_[node] = std::min(low_[node], index_[other]);
        }
        continue;
      }
      leave(node);
    }
  }

  void leave(size_t node) {
    path_.pop_back();
    if (!path_.empty()) {
      int& before = low_[path_.back().first];
      before = std::min(before, low_[node]);
    }
    if (low_[node] != index_[node]) return;
    for (bool is_last = false; !is_last; open_.pop_back()) {
      of_[open_.back()] = found_;
      is_last = open_.back() == node;
    }
    ++found_;
  }

  const Edges& edges_;
  std::vector<int> index_, low_, of_;
  std::vector<size_t> open_;
  std::vector<std::pair<size_t, size_t>> path_;  ///< a node, and which of its edges comes next
  int next_ = 0, found_ = 0;
};

std::vector<int> blocks_of(const UnitGraph& graph, int block) {
  std::map<int, int> met;
  std::vector<int> blocks;
  for (const GraphUnit& unit : graph.units) {
    int own = unit.weights == GraphUnit::kNoWeights ? 0 : met[unit.weights]++ / block;
    for (const UnitNeed& need : unit.needs) {
      own = std::max(own, blocks[static_cast<size_t>(need.unit)]);
    }
    blocks.push_back(own);
  }
  return blocks;
}

}  // namespace

bool reuses_weights(const UnitGraph& graph) {
  std::set<int> met;
  return std::ranges::any_of(graph.units, [&](const GraphUnit& unit) {
    return unit.weights != GraphUnit::kNoWeights && !met.insert(unit.weights).second;
  });
}

std::vector<WeightTask> weight_tasks(const UnitGraph& graph, int block) {
  const std::vector<int> groups = weight_tasks_groups_of(graph);
  const Edges edges = edges_between(graph, groups);
  const Components components(edges);
  const std::vector<int> blocks = blocks_of(graph, block);
  std::map<std::pair<int, int>, std::vector<int>> units;  // by block and component: an order
  for (size_t i = 0; i < graph.size(); ++i) {
    const int component = components.of_nodes()[static_cast<size_t>(groups[i])];
    units[{blocks[i], component}].push_back(static_cast<int>(i));
  }
  std::vector<WeightTask> tasks;
  std::vector<int> task_of(graph.size());
  for (auto& [place, members] : units) {
    std::set<int> needs;
    for (const int unit : members) {
      task_of[static_cast<size_t>(unit)] = static_cast<int>(tasks.size());
      for (const UnitNeed& need : graph.unit(unit).needs) {
        const int maker = task_of[static_cast<size_t>(need.unit)];
        if (maker != static_cast<int>(tasks.size())) needs.insert(maker);
      }
    }
    tasks.push_back({std::move(members), {needs.begin(), needs.end()}});
  }
  return tasks;
}

}  // namespace opbench
