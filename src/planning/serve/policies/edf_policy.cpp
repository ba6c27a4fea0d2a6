#include "planning/serve/whole_queries.h"

namespace opbench {
namespace {

bool edf_comes_before(const ServingState&, const WaitingQuery& a, const WaitingQuery& b) {
  return a.deadline_ms < b.deadline_ms;
}

Decision decide_edf(const ServingState& state, const PolicyVariant& variant) {
  return serve_whole_queries(state, variant, edf_comes_before);
}

}  // namespace

PolicyDef edf_policy() {
  return {.name = "edf",
          .summary = "the query with the earliest deadline",
          .is_baseline = true,
          .variants = whole_query_variants(),
          .decide = decide_edf};
}

}  // namespace opbench
