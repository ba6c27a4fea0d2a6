#include "measuring/results/call_steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace opbench {
namespace {

using NodePlaces = std::map<std::string, size_t>;

/// The place of a node, or of the one that it was taken from: passes name the parts of `bn` as
/// `bn/mul` and `bn/add`.
std::optional<size_t> place_of(std::string name, const NodePlaces& places) {
  while (true) {
    const auto place = places.find(name);
    if (place != places.end()) return place->second;
    const size_t slash = name.rfind('/');
    if (slash == std::string::npos) return std::nullopt;
    name.resize(slash);
  }
}

int64_t rank_of(const UnitOccurrence& occurrence, const NodePlaces& places) {
  if (occurrence.step) return *occurrence.step;
  int64_t rank = -1;
  for (const std::string& node : occurrence.nodes) {
    if (const auto place = place_of(node, places)) {
      rank = std::max(rank, static_cast<int64_t>(*place));
    }
  }
  return rank;
}

/// For each node, the steps that compute it or parts of it, in order.
std::vector<std::vector<size_t>> owners_of(const CallSteps& call, const NodePlaces& places,
                                           size_t count) {
  std::vector<std::vector<size_t>> owners(count);
  for (size_t step = 0; step < call.steps.size(); ++step) {
    for (const std::string& node : call.steps[step].occurrence->nodes) {
      const auto place = place_of(node, places);
      if (!place) continue;
      std::vector<size_t>& steps = owners[*place];
      if (steps.empty() || steps.back() != step) steps.push_back(step);
    }
  }
  return owners;
}

/// For each node, the steps that its results come from: its own last step, or those of the nodes
/// that it needs where no step has it.
std::vector<std::set<size_t>> sources_of(const std::vector<ModelNode>& nodes,
                                         const std::vector<std::vector<size_t>>& owners,
                                         const NodePlaces& places) {
  std::vector<std::set<size_t>> sources(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!owners[i].empty()) {
      sources[i] = {owners[i].back()};
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
  const auto owners = owners_of(call, places, nodes.size());
  const std::vector<std::set<size_t>> sources = sources_of(nodes, owners, places);
  std::vector<std::set<size_t>> needs(call.steps.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (size_t k = 0; k < owners[i].size(); ++k) {
      const size_t step = owners[i][k];
      if (k > 0) needs[step].insert(owners[i][k - 1]);
      for (const std::string& need : nodes[i].needs) {
        const auto source = places.find(need);
        if (source == places.end()) continue;
        needs[step].insert(sources[source->second].begin(), sources[source->second].end());
      }
    }
  }
  // A step that is not earlier would make a circle: engines may run nodes in another order.
  for (size_t step = 0; step < needs.size(); ++step) {
    for (const size_t need : needs[step]) {
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
