#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/profile_result.h"
#include "model/graph/graph.h"

/// How viewers of models call the nodes that a profile names.
namespace opbench {

struct GraphNode {
  size_t place = 0;      ///< in the graph's order
  bool is_named = true;  ///< false: the model gives it no name, and its first output stands for it
};

/// The nodes of a graph by the names that units have.
class GraphNames {
 public:
  explicit GraphNames(const Graph& graph);
  /// Null for a node that is not in the graph, as changes of layout and what passes make.
  const GraphNode* find(const std::string& node) const;
  const Graph& graph() const { return graph_; }

 private:
  const Graph& graph_;
  std::map<std::string, GraphNode> nodes_;
};

/// One place of a unit in the model, with the time that is known of it.
struct UnitPlace {
  const UnitResult* unit = nullptr;
  std::vector<std::string> nodes;
  std::optional<double> ms;    ///< inside the model, else alone
  std::optional<size_t> last;  ///< the place of its last node in the graph; nothing: not in it
  std::vector<size_t> needs;   ///< places in this list that make what it reads
};

/// The places of an engine's units. With a graph in its order, those that it lacks at the end;
/// without in the order of the rows.
std::vector<UnitPlace> places_of(const EngineResult& engine, const GraphNames* names);

}  // namespace opbench
