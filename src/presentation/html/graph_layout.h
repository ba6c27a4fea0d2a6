#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace opbench {

/// An acyclic graph: edges lead from lower to higher numbers.
struct LayeredGraph {
  size_t size = 0;
  std::vector<std::pair<size_t, size_t>> edges;
};

/// Where a box lies: its layer from the top, and its centre in pixels.
struct BoxPlace {
  size_t layer = 0;
  double x = 0;
};

/// A way of an edge: its x at every layer from that of its begin to that of its end.
struct EdgeWay {
  size_t from = 0, to = 0;
  std::vector<double> x;
};

struct GraphLayout {
  std::vector<BoxPlace> boxes;
  std::vector<EdgeWay> ways;
  size_t layers = 0;
  double width = 0;  ///< pixels; all boxes lie inside
};

/// Layers by longest paths; the order in a layer by means of neighbours (Sugiyama, Tagawa and Toda
/// 1981). Edges over several layers keep room in those between. Boxes of a layer do not meet.
GraphLayout lay_out(const LayeredGraph& graph, double box_width, double gap);

/// Which group each vertex is in, numbered by the first member, so that at most `most` groups are
/// left: first vertices in a row without branches are joined, then all of some layers.
std::vector<size_t> grouped(const LayeredGraph& graph, size_t most);

}  // namespace opbench
