#include "planning/graphs/ceiling.h"

#include <algorithm>

namespace opbench {
namespace {

Ceiling ceiling_of_whole(const UnitGraph& graph, int workers) {
  Ceiling ceiling;
  const size_t all = teams_within(graph, workers) - 1;
  for (size_t i = 0; i < graph.size(); ++i) {
    const int unit = static_cast<int>(i);
    ceiling.sequential_ms += graph.time_ms(unit, all);
    ceiling.area_ms += least_area_ms(graph, unit, workers) / workers;
  }
  for (const double tail : tails_of(graph, workers)) {
    ceiling.path_ms = std::max(ceiling.path_ms, tail);
  }
  ceiling.bound_ms = std::max(ceiling.area_ms, ceiling.path_ms);
  return ceiling;
}

}  // namespace

Ceiling ceiling_of(const UnitGraph& graph, int workers) {
  Ceiling ceiling = ceiling_of_whole(graph, workers);
  for (const auto& piece : pieces_of(graph)) {
    ceiling.pieces_ms += ceiling_of_whole(subgraph_of(graph, piece), workers).bound_ms;
  }
  return ceiling;
}

}  // namespace opbench
