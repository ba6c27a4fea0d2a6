#include "model/passes/inline_branch.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/passes/inline_body.h"

namespace opbench {
namespace {

bool is_made_inside(const Graph& branch, const std::string& name) {
  return std::ranges::any_of(branch.nodes, [&](const Node& inner) {
    return std::ranges::find(inner.outputs, name) != inner.outputs.end();
  });
}

}  // namespace

std::optional<std::vector<Node>> inline_branch(Graph& graph, const Node& node, bool condition) {
  const auto body = node.bodies.find(condition ? "then_branch" : "else_branch");
  if (body == node.bodies.end()) return {};
  const Graph branch = tidy_body(body->second);
  if (branch.outputs.size() < node.outputs.size()) return {};
  // A value made inside takes the name that the If node gave it; others are copied.
  OuterNames names;
  std::vector<std::pair<std::string, std::string>> copies;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& from = branch.outputs[i].name;
    const std::string& to = node.outputs[i];
    if (to.empty()) continue;
    const bool is_new = is_made_inside(branch, from) && names.try_emplace(from, to).second;
    if (!is_new) copies.emplace_back(from, to);
  }
  adopt_constants(graph, branch, node.name, names);
  std::vector<Node> nodes = inline_nodes(branch, node.name, names);
  for (const auto& [from, to] : copies) {
    nodes.push_back({to, "Identity", "", {outer_name(names, from)}, {to}, {}});
  }
  return nodes;
}

}  // namespace opbench
