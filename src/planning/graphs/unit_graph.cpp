#include "planning/graphs/unit_graph.h"

#include <algorithm>

namespace opbench {

std::string quoted_unit(const UnitGraph& graph, size_t unit) {
  return "unit " + std::to_string(unit) + " \"" + graph.units[unit].name + "\"";
}

Result<void> check_unit(const UnitGraph& graph, size_t unit) {
  std::vector<int> seen;
  for (const UnitNeed& need : graph.units[unit].needs) {
    if (need.unit < 0 || need.unit >= static_cast<int>(unit)) {
      return invalid_input(quoted_unit(graph, unit) + " needs unit " + std::to_string(need.unit) +
                           ", which does not come before it");
    }
    if (std::ranges::find(seen, need.unit) != seen.end()) {
      return invalid_input(quoted_unit(graph, unit) + " needs unit " + std::to_string(need.unit) +
                           " twice");
    }
    if (need.bytes && *need.bytes < 0) {
      return invalid_input(quoted_unit(graph, unit) + " reads " + std::to_string(*need.bytes) +
                           " bytes of unit " + std::to_string(need.unit));
    }
    seen.push_back(need.unit);
  }
  return {};
}

Result<void> check_graph(const UnitGraph& graph) {
  for (size_t i = 0; i < graph.size(); ++i) OPBENCH_CHECK(check_unit(graph, i));
  return {};
}

std::vector<std::vector<int>> successors_of(const UnitGraph& graph) {
  std::vector<std::vector<int>> successors(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.units[i].needs) {
      successors[static_cast<size_t>(need.unit)].push_back(static_cast<int>(i));
    }
  }
  return successors;
}

std::vector<BitSet> ancestors_of(const UnitGraph& graph) {
  std::vector<BitSet> ancestors(graph.size(), BitSet(graph.size()));
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.units[i].needs) {
      const auto before = static_cast<size_t>(need.unit);
      ancestors[i].add(before);
      ancestors[i].add_all(ancestors[before]);
    }
  }
  return ancestors;
}

std::vector<std::vector<int>> pieces_of(const UnitGraph& graph) {
  const auto ancestors = ancestors_of(graph);
  // For every unit the length of the longest beginning of the sequence that it needs as a whole;
  // a cut lies where every later unit needs all before it.
  std::vector<size_t> prefix(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    while (prefix[i] < i && ancestors[i][prefix[i]]) ++prefix[i];
  }
  std::vector<std::vector<int>> pieces;
  std::vector<size_t> least(graph.size() + 1, graph.size());
  for (size_t i = graph.size(); i-- > 0;) least[i] = std::min(least[i + 1], prefix[i]);
  for (size_t i = 0; i < graph.size(); ++i) {
    if (i == 0 || least[i] >= i) pieces.emplace_back();
    pieces.back().push_back(static_cast<int>(i));
  }
  return pieces;
}

}  // namespace opbench
