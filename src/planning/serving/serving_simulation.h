#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "planning/serving/policy.h"

namespace opbench {

/// What became of a query. Simulated, never measured.
struct QueryOutcome {
  double end_ms = 0;  ///< infinity for a dropped one
  bool is_dropped = false;
  bool operator==(const QueryOutcome&) const = default;
};

/// What a worker did with a segment. A team's workers have a span each.
struct ServingSpan {
  int worker = 0;
  int query = 0;
  size_t segment = 0;
  double start_ms = 0;
  double end_ms = 0;
  bool operator==(const ServingSpan&) const = default;
};

struct ServingRun {
  std::vector<QueryOutcome> outcomes;  ///< one a query
  double end_ms = 0;                   ///< when the last query was answered or dropped
  double busy_worker_ms = 0;           ///< time of workers that launches took
  int64_t launches = 0;
  std::vector<ServingSpan> spans;  ///< by end; only where they are asked for
  bool operator==(const ServingRun&) const = default;
};

struct ServingOptions {
  SlowDown slow_down = {};   ///< what happens; empty: neighbours cost nothing
  SlowDown predicted = {};   ///< what policies believe; the caller gives both the same or not
  double launch_ms = 0.005;  ///< that every launch takes before its first segment
  bool keeps_spans = false;
};

/// Serves the queries (by arrival) from event to event: arrivals, ends of segments. A segment takes
/// its time × the query's factor, at the rate that the slow-down by the others that run leaves.
/// `kSystem` that names the policy when a decision cannot be: a launch of a query that does not
/// wait, of segments or a team that are not there, or more workers than are free; nothing running
/// and nothing decided. The system passes check_serving.
Result<ServingRun> simulate_serving(const ServingSystem& system, const std::vector<Query>& queries,
                                    const PolicyDef& policy, const PolicyVariant& variant,
                                    const ServingOptions& options = {});

/// `kInvalidInput` when a worker runs two things at once, or a query is answered without each of
/// its segments run once, in order, after its arrival. Needs spans.
Result<void> check_run(const ServingSystem& system, const std::vector<Query>& queries,
                       const ServingRun& run);

}  // namespace opbench
