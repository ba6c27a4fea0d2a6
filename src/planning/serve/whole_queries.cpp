#include "planning/serve/whole_queries.h"

#include <algorithm>

namespace opbench {

bool is_lost(const ServingState& state, const WaitingQuery& query) {
  return state.now_ms + state.rests.fastest_ms(query.model, query.segment) > query.deadline_ms;
}

Decision serve_whole_queries(const ServingState& state, const PolicyVariant& variant,
                             ComesBefore comes_before) {
  Decision decision;
  std::vector<WaitingQuery> order;
  for (const WaitingQuery& query : state.waiting) {
    if (variant.drops_lost && is_lost(state, query)) {
      decision.drops.push_back(query.id);
    } else {
      order.push_back(query);
    }
  }
  std::ranges::stable_sort(order,
                           [&](const auto& a, const auto& b) { return comes_before(state, a, b); });
  const size_t team = variant.is_wide ? state.system.teams.size() - 1 : 0;
  int free = state.free_workers;
  for (const WaitingQuery& query : order) {
    if (free < state.system.teams[team]) break;
    const size_t segments = state.system.models[query.model].segments.size() - query.segment;
    decision.launches.push_back({query.id, segments, team});
    free -= state.system.teams[team];
  }
  return decision;
}

std::vector<PolicyVariant> whole_query_variants() {
  return {{.name = "wide", .is_wide = true, .drops_lost = false},
          {.name = "side", .is_wide = false, .drops_lost = false},
          {.name = "wide drop", .is_wide = true, .drops_lost = true},
          {.name = "side drop", .is_wide = false, .drops_lost = true}};
}

}  // namespace opbench
