#include <fmt/format.h>

#include <set>
#include <string>

#include "model/graph/subgraph.h"
#include "model/passes/passes.h"

namespace opbench {

void drop_unread_results(Model& model) {
  Graph& graph = model.graph;
  std::set<std::string> read;
  for (const Value& output : graph.outputs) read.insert(output.name);
  for (const Node& node : graph.nodes) {
    for (std::string& name : reads_of(node)) read.insert(std::move(name));
  }
  for (Node& node : graph.nodes) {
    if (node.type == "Split") continue;
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
