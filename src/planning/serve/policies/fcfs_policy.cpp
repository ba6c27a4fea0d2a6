#include "planning/serve/whole_queries.h"

namespace opbench {
namespace {

bool fcfs_comes_before(const ServingState&, const WaitingQuery& a, const WaitingQuery& b) {
  return a.arrival_ms < b.arrival_ms;
}

Decision decide_fcfs(const ServingState& state, const PolicyVariant& variant) {
  return serve_whole_queries(state, variant, fcfs_comes_before);
}

}  // namespace

PolicyDef fcfs_policy() {
  return {.name = "fcfs",
          .summary = "the query that came first",
          .is_baseline = true,
          .variants = whole_query_variants(),
          .decide = decide_fcfs};
}

}  // namespace opbench
