#include "presentation/html/call_steps.h"

#include <algorithm>
#include <limits>
#include <set>

namespace opbench {
namespace {

using NodePlaces = std::map<std::string, size_t>;

int64_t rank_of(const UnitOccurrence& occurrence, const NodePlaces& places) {
  if (occurrence.step) return *occurrence.step;
  int64_t rank = -1;
  for (const std::string& node : occurrence.nodes) {
    const auto place = places.find(node);
    if (place != places.end()) rank = std::max(rank, static_cast<int64_t>(place->second));
  }
  return rank;
}

/// For each node, the steps that its results come from: its own step, or those of the nodes that it
/// needs where no step has it.
std::vector<std::set<size_t>> sources_of(const CallSteps& call, const std::vector<ModelNode>& nodes,
                                         const NodePlaces& places) {
  std::vector<std::optional<size_t>> owner(nodes.size());
  for (size_t step = 0; step < call.steps.size(); ++step) {
    for (const std::string& node : call.steps[step].occurrence->nodes) {
      const auto place = places.find(node);
      if (place != places.end()) owner[place->second] = step;
    }
  }
  std::vector<std::set<size_t>> sources(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (owner[i]) {
      sources[i] = {*owner[i]};
      continue;
    }
    for (const std::string& need : nodes[i].needs) {
      const auto place = places.find(need);
      if (place == places.end() || place->second >= i) continue;
      sources[i].insert(sources[place->second].begin(), sources[place->second].end());
    }
  }
  return sources;
}

void add_step_needs(CallSteps& call, const std::vector<ModelNode>& nodes,
                    const NodePlaces& places) {
  const std::vector<std::set<size_t>> sources = sources_of(call, nodes, places);
  for (size_t step = 0; step < call.steps.size(); ++step) {
    std::set<size_t> needs;
    for (const std::string& name : call.steps[step].occurrence->nodes) {
      const auto place = places.find(name);
      if (place == places.end()) continue;
      for (const std::string& need : nodes[place->second].needs) {
        const auto source = places.find(need);
        if (source == places.end()) continue;
        needs.insert(sources[source->second].begin(), sources[source->second].end());
      }
    }
    // A step that is not earlier would make a circle: engines may run nodes in another order.
    for (const size_t need : needs) {
      if (need < step) call.steps[step].needs.push_back(need);
    }
  }
}

}  // namespace

CallSteps steps_of(const EngineResult& run, const std::vector<ModelNode>& nodes) {
  NodePlaces places;
  for (size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes[i].name, i);
  CallSteps call;
  std::vector<std::pair<int64_t, CallStep>> ranked;
  for (const UnitResult& unit : run.units) {
    for (const UnitOccurrence& occurrence : unit.occurrences) {
      CallStep step{.unit = &unit, .occurrence = &occurrence};
      step.ms = occurrence.in_place_ms.value_or(unit.in_place_ms.value_or(0));
      const int64_t rank = rank_of(occurrence, places);
      if (rank < 0) call.has_order = false;
      ranked.emplace_back(rank, step);
    }
  }
  if (call.has_order) {
    std::ranges::stable_sort(ranked,
                             [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  for (auto& [rank, step] : ranked) call.steps.push_back(std::move(step));
  if (!nodes.empty() && call.has_order) {
    add_step_needs(call, nodes, places);
    call.has_needs = true;
  }
  return call;
}

}  // namespace opbench
