#pragma once

#include <vector>

#include "planning/serve/policy.h"

namespace opbench {

/// A query in a plan of what is known now. Times count from now.
struct PlannedQuery {
  WaitingQuery query;
  bool is_running = false;  ///< its next segment waits for the launch that it is in
  double ready_ms = 0;      ///< end of that
  size_t team = 0;          ///< index in ServingSystem::teams
  double start_ms = 0;
  double end_ms = 0;
};

/// Groups of queries that run side by side, in the order of their deadlines.
struct SlackPlan {
  std::vector<PlannedQuery> queries;   ///< that end in time, as predicted
  std::vector<WaitingQuery> too_much;  ///< that would make others late
  double end_ms = 0;                   ///< of the last one
  double sum_of_ends_ms = 0;
  bool has_reserve = false;  ///< each could end later by the solo time of a mean query
};

/// The best of these plans: the most urgent 0, 1, 2 … queries get all workers, one after the other,
/// and the others are packed side by side on a smaller team each. Where a query would end late, the
/// longest of those up to it that does not run is left out, which leaves out the fewest on one
/// machine (Moore 1968, with Hodgson's algorithm). Fewer left out are better. Then plans with a
/// reserve for what may arrive are: of these the one that ends first, as it wastes the least; else
/// the one with the smallest sum of ends. At most `kMostPlanned` queries are planned.
SlackPlan plan_by_slack(const ServingState& state, const std::vector<WaitingQuery>& candidates);

inline constexpr size_t kMostPlanned = 16;

}  // namespace opbench
