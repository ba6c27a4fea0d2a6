#include "model/passes/inline_branch.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

using Names = std::map<std::string, std::string>;

void rename(const Names& names, std::string& value) {
  const auto known = names.find(value);
  if (known != names.end()) value = known->second;
}

// Names inside a body are unique in the whole model, so those around it are never hidden.
// NOLINTNEXTLINE(misc-no-recursion)
void rename_values(const Names& names, Node& node) {
  for (std::string& input : node.inputs) rename(names, input);
  for (std::string& output : node.outputs) rename(names, output);
  for (auto& [attribute, body] : node.bodies) {
    Graph graph = body.graph();
    for (Node& inner : graph.nodes) rename_values(names, inner);
    for (Value& output : graph.outputs) rename(names, output.name);
    body = Body(std::move(graph));
  }
}

class BranchInliner {
 public:
  BranchInliner(Graph& graph, Node node, Graph branch)
      : graph_(graph), node_(std::move(node)), branch_(std::move(branch)) {}

  std::vector<Node> nodes() {
    name_outputs();
    for (auto& [name, tensor] : branch_.constants) {
      names_[name] = add_constant(graph_, prefixed(name), std::move(tensor));
    }
    std::vector<Node> result;
    for (Node& inner : branch_.nodes) {
      for (const std::string& output : inner.outputs) {
        if (!output.empty()) names_.try_emplace(output, prefixed(output));
      }
    }
    for (Node& inner : branch_.nodes) {
      rename_values(names_, inner);
      inner.name = prefixed(inner.name);
      result.push_back(std::move(inner));
    }
    for (auto& [from, to] : copies_) {
      rename(names_, from);
      result.push_back({to, "Identity", "", {from}, {to}, {}});
    }
    return result;
  }

 private:
  std::string prefixed(const std::string& name) const {
    return fmt::format("{}/{}", node_.name, name);
  }

  bool is_made_inside(const std::string& name) const {
    for (const Node& inner : branch_.nodes) {
      for (const std::string& output : inner.outputs) {
        if (output == name) return true;
      }
    }
    return false;
  }

  // A value made inside takes the name that the If node gave it; others are copied.
  void name_outputs() {
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      const std::string& from = branch_.outputs[i].name;
      const std::string& to = node_.outputs[i];
      if (to.empty()) continue;
      const bool is_new = is_made_inside(from) && names_.try_emplace(from, to).second;
      if (!is_new) copies_.emplace_back(from, to);
    }
  }

  Graph& graph_;
  Node node_;
  Graph branch_;
  Names names_;
  std::vector<std::pair<std::string, std::string>> copies_;
};

}  // namespace

bool inline_branch(Graph& graph, size_t index, bool condition) {
  const Node& node = graph.nodes[index];
  const auto body = node.bodies.find(condition ? "then_branch" : "else_branch");
  if (body == node.bodies.end()) return false;
  if (body->second.graph().outputs.size() < node.outputs.size()) return false;
  Model branch;
  branch.graph = body->second.graph();
  drop_unread_results(branch);
  std::vector<Node> nodes = BranchInliner(graph, node, std::move(branch.graph)).nodes();
  const auto place = graph.nodes.begin() + static_cast<std::ptrdiff_t>(index);
  const auto after = graph.nodes.erase(place);
  graph.nodes.insert(after, std::make_move_iterator(nodes.begin()),
                     std::make_move_iterator(nodes.end()));
  return true;
}

}  // namespace opbench
