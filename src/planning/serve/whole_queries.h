#pragma once

#include "planning/serve/policy.h"

namespace opbench {

/// Of two waiting queries, whether the first is served first.
using ComesBefore = bool (*)(const ServingState& state, const WaitingQuery& a,
                             const WaitingQuery& b);

/// Serves whole queries in an order, without interruption: one on all workers, or one on each
/// worker, by the variant. Of equals the earlier arrival. Where the variant drops, every query that
/// is lost.
Decision serve_whole_queries(const ServingState& state, const PolicyVariant& variant,
                             ComesBefore comes_before);

/// One query on all workers or one on each, each with all queries kept or lost ones dropped.
std::vector<PolicyVariant> whole_query_variants();

}  // namespace opbench
