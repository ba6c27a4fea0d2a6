#include <fmt/format.h>

#include <set>
#include <string>

#include "model/graph/subgraph.h"
#include "model/operators/operator.h"
#include "model/passes/passes.h"
#include "model/passes/stuck_nodes.h"

namespace opbench {
namespace {

/// Parts of a Split count even if nobody reads them. What an operator that is not known wants to be
/// asked for is not known either.
bool may_leave_out_results(const Node& node) {
  return node.type != "Split" && (is_control_flow(node) || operator_of(node) != nullptr);
}

}  // namespace

void drop_unread_results(Model& model) {
  Graph& graph = model.graph;
  std::set<std::string> read;
  for (const Value& output : graph.outputs) read.insert(output.name);
  for (const Node& node : graph.nodes) {
    for (std::string& name : reads_of(node)) read.insert(std::move(name));
  }
  for (Node& node : graph.nodes) {
    if (!may_leave_out_results(node)) continue;
    for (size_t i = 1; i < node.outputs.size(); ++i) {
      if (!read.contains(node.outputs[i])) node.outputs[i].clear();
    }
    while (node.outputs.size() > 1 && node.outputs.back().empty()) node.outputs.pop_back();
    // Units go by their first output.
    for (int i = 0; !node.outputs.empty() && node.outputs[0].empty(); ++i) {
      const std::string name = fmt::format("{}/output{}", node.name, i);
      if (read.insert(name).second) node.outputs[0] = name;
    }
  }
}

}  // namespace opbench
