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
    while (node.outputs.size() > 1 && !read.contains(node.outputs.back())) node.outputs.pop_back();
  }
}

}  // namespace opbench
