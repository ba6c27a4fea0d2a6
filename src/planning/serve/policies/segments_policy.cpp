#include "planning/serve/policy.h"

namespace opbench {
namespace {

/// The earliest deadline on all workers, asked again after each segment: tells the gain of cutting
/// models into segments apart from the gain of packing.
Decision decide_segments(const ServingState& state, const PolicyVariant& variant) {
  Decision decision;
  const size_t team = state.system.teams.size() - 1;
  const WaitingQuery* first = nullptr;
  for (const WaitingQuery& query : state.waiting) {
    if (variant.drops_lost && is_lost(state, query)) {
      decision.drops.push_back(query.id);
    } else if (first == nullptr || query.deadline_ms < first->deadline_ms) {
      first = &query;
    }
  }
  const bool fits = state.free_workers >= state.system.teams[team];
  if (first != nullptr && fits) decision.launches.push_back({first->id, 1, team});
  return decision;
}

}  // namespace

PolicyDef segments_policy() {
  return {.name = "segments",
          .summary = "the earliest deadline again after each segment, on all workers",
          .is_baseline = false,
          .variants = {{.name = "drop", .drops_lost = true}, {.name = "keep", .drops_lost = false}},
          .decide = decide_segments};
}

}  // namespace opbench
