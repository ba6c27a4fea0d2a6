#include "planning/serve/whole_queries.h"

namespace opbench {
namespace {

bool sjf_comes_before(const ServingState& state, const WaitingQuery& a, const WaitingQuery& b) {
  return state.rests.fastest_ms(a.model, a.segment) < state.rests.fastest_ms(b.model, b.segment);
}

Decision decide_sjf(const ServingState& state, const PolicyVariant& variant) {
  return serve_whole_queries(state, variant, sjf_comes_before);
}

}  // namespace

PolicyDef sjf_policy() {
  return {.name = "sjf",
          .summary = "the query with the shortest time",
          .is_baseline = true,
          .variants = whole_query_variants(),
          .decide = decide_sjf};
}

}  // namespace opbench
