#include "presentation/report/exports/graph_names.h"

#include <algorithm>
#include <limits>
#include <set>

namespace opbench {
namespace {

/// Which place makes each value, by the nodes that the places have.
std::map<std::string, size_t> makers_of(const std::vector<UnitPlace>& places,
                                        const GraphNames& names) {
  std::map<std::string, size_t> makers;
  for (size_t i = 0; i < places.size(); ++i) {
    for (const std::string& node : places[i].nodes) {
      const GraphNode* found = names.find(node);
      if (found == nullptr) continue;
      for (const std::string& output : names.graph().nodes[found->place].outputs) {
        if (!output.empty()) makers[output] = i;
      }
    }
  }
  return makers;
}

/// Values that pass through nodes of no unit come from the makers of what these nodes read.
void add_needs(const std::string& value, size_t place, const std::map<std::string, size_t>& makers,
               const std::map<std::string, size_t>& graph_makers, const Graph& graph,
               std::set<size_t>& needs, std::set<std::string>& seen) {
  if (value.empty() || !seen.insert(value).second) return;
  if (const auto maker = makers.find(value); maker != makers.end()) {
    if (maker->second != place) needs.insert(maker->second);
    return;
  }
  const auto node = graph_makers.find(value);
  if (node == graph_makers.end()) return;
  for (const std::string& input : graph.nodes[node->second].inputs) {
    add_needs(input, place, makers, graph_makers, graph, needs, seen);
  }
}

}  // namespace

GraphNames::GraphNames(const Graph& graph) : graph_(graph) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const bool is_named = node.outputs.empty() || node.name != node.outputs.front();
    nodes_.emplace(node.name, GraphNode{.place = i, .is_named = is_named});
  }
}

const GraphNode* GraphNames::find(const std::string& node) const {
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? nullptr : &found->second;
}

std::vector<UnitPlace> places_of(const EngineResult& engine, const GraphNames* names) {
  std::vector<UnitPlace> places;
  for (const UnitResult& unit : engine.units) {
    const std::optional<double> alone =
        unit.time ? std::optional(unit.time->median_ms) : std::nullopt;
    for (const UnitOccurrence& occurrence : unit.occurrences) {
      const auto& ms = occurrence.in_place_ms ? occurrence.in_place_ms
                       : unit.in_place_ms     ? unit.in_place_ms
                                              : alone;
      places.push_back({.unit = &unit, .nodes = occurrence.nodes, .ms = ms});
    }
    if (unit.occurrences.empty()) {
      places.push_back({.unit = &unit,
                        .nodes = unit.identity.nodes,
                        .ms = unit.in_place_ms ? unit.in_place_ms : alone});
    }
  }
  if (names == nullptr) return places;
  for (UnitPlace& place : places) {
    for (const std::string& node : place.nodes) {
      const GraphNode* found = names->find(node);
      if (found != nullptr) place.last = std::max(place.last.value_or(0), found->place);
    }
  }
  std::ranges::stable_sort(places, {}, [](const UnitPlace& place) {
    return place.last.value_or(std::numeric_limits<size_t>::max());
  });
  const std::map<std::string, size_t> makers = makers_of(places, *names);
  std::map<std::string, size_t> graph_makers;
  const Graph& graph = names->graph();
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& output : graph.nodes[i].outputs) graph_makers[output] = i;
  }
  for (size_t i = 0; i < places.size(); ++i) {
    std::set<size_t> needs;
    std::set<std::string> seen;
    for (const std::string& node : places[i].nodes) {
      const GraphNode* found = names->find(node);
      if (found == nullptr) continue;
      for (const std::string& input : graph.nodes[found->place].inputs) {
        add_needs(input, i, makers, graph_makers, graph, needs, seen);
      }
    }
    places[i].needs.assign(needs.begin(), needs.end());
  }
  return places;
}

}  // namespace opbench
