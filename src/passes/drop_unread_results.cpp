#include <set>
#include <string_view>

#include "opbench/passes/passes.h"

namespace opbench {

void drop_unread_results(Model& model) {
  Graph& graph = model.graph;
  std::set<std::string_view> read;
  for (const Value& output : graph.outputs) read.insert(output.name);
  for (const Node& node : graph.nodes) read.insert(node.inputs.begin(), node.inputs.end());
  for (Node& node : graph.nodes) {
    if (node.type == "Split") continue;
    while (node.outputs.size() > 1 && !read.contains(node.outputs.back())) node.outputs.pop_back();
  }
}

}  // namespace opbench
