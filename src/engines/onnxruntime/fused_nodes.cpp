#include "engines/onnxruntime/fused_nodes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>

namespace opbench::ort {
namespace {

using NodePointers = std::map<std::string, const ModelNode*>;

/// The nodes whose results depend on a graph input.
std::vector<const ModelNode*> nodes_of_the_run(const std::vector<ModelNode>& nodes,
                                               const std::vector<std::string>& inputs) {
  std::set<std::string> made(inputs.begin(), inputs.end());
  std::vector<const ModelNode*> run;
  for (const ModelNode& node : nodes) {
    const bool depends = std::ranges::any_of(
        node.inputs, [&](const std::string& input) { return made.contains(input); });
    if (!depends) continue;
    made.insert(node.outputs.begin(), node.outputs.end());
    made.erase("");  // an output that is left out
    run.push_back(&node);
  }
  return run;
}

class NodeOwners {
 public:
  explicit NodeOwners(std::vector<const ModelNode*> nodes) : nodes_(std::move(nodes)) {
    for (const ModelNode* node : nodes_) {
      by_name_[node->name] = node;
      for (const std::string& output : node->outputs) by_output_[output] = node;
    }
    by_output_.erase("");
  }

  std::vector<std::vector<std::string>> share_out(const std::vector<std::string>& units) {
    std::vector<const ModelNode*> anchors(units.size());
    for (size_t unit = 0; unit < units.size(); ++unit) {
      const ModelNode* anchor = anchor_of(units[unit]);
      if (anchor != nullptr && owner_.emplace(anchor, unit).second) anchors[unit] = anchor;
    }
    for (size_t unit = 0; unit < units.size(); ++unit) {
      if (anchors[unit] != nullptr) claim_upwards(anchors[unit], unit);
    }
    std::vector<std::vector<std::string>> members(units.size());
    for (const ModelNode* node : nodes_) {
      if (const auto unit = owner_of(*node)) members[*unit].push_back(node->name);
    }
    return members;
  }

 private:
  static const ModelNode* find(const NodePointers& nodes, const std::string& name) {
    const auto found = nodes.find(name);
    return found == nodes.end() ? nullptr : found->second;
  }

  /// The node that gave the unit its name: fusions decorate a node's name, or that of the value
  /// that it makes.
  const ModelNode* anchor_of(std::string name) const {
    static const std::regex kDecoration(R"(^fused |_token_\d+$|_nchwc$|/[A-Za-z]+Fusion/?$)");
    while (!name.empty()) {
      if (const ModelNode* node = find(by_name_, name)) return node;
      if (const ModelNode* node = find(by_output_, name)) return node;
      std::string shorter =
          std::regex_replace(name, kDecoration, "", std::regex_constants::format_first_only);
      if (shorter == name) break;
      name = std::move(shorter);
    }
    return nullptr;
  }

  /// Gives `unit` the nodes above its anchor that have none yet.
  void claim_upwards(const ModelNode* anchor, size_t unit) {
    std::vector<const ModelNode*> waiting{anchor};
    while (!waiting.empty()) {
      const ModelNode* const node = waiting.back();
      waiting.pop_back();
      for (const std::string& input : node->inputs) {
        const ModelNode* const above = find(by_output_, input);
        if (above != nullptr && owner_.emplace(above, unit).second) waiting.push_back(above);
      }
    }
  }

  /// The node's unit; where it has none, the last one that it reads from takes it.
  std::optional<size_t> owner_of(const ModelNode& node) {
    if (const auto known = owner_.find(&node); known != owner_.end()) return known->second;
    std::optional<size_t> last;
    for (const std::string& input : node.inputs) {
      const auto above = owner_.find(find(by_output_, input));
      if (above != owner_.end()) last = std::max(last.value_or(0), above->second);
    }
    if (last) owner_[&node] = *last;
    return last;
  }

  std::vector<const ModelNode*> nodes_;
  NodePointers by_name_, by_output_;
  std::map<const ModelNode*, size_t> owner_;
};

}  // namespace

std::vector<std::vector<std::string>> nodes_of_units(const std::vector<std::string>& units,
                                                     const std::vector<ModelNode>& nodes,
                                                     const std::vector<std::string>& inputs) {
  return NodeOwners(nodes_of_the_run(nodes, inputs)).share_out(units);
}

}  // namespace opbench::ort
