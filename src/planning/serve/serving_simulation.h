#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "planning/serve/policy.h"
#include "planning/serve/serving_run.h"

namespace opbench {

struct ServingOptions {
  SlowDown slow_down = {};    ///< what happens; empty: neighbours cost nothing
  SlowDown predicted = {};    ///< what policies believe; the caller gives both the same or not
  double launch_ms = 0.005;   ///< that every launch takes before its first segment
  size_t most_in_flight = 0;  ///< queries of a model that have begun; 0: any number
  bool keeps_spans = false;
};

/// Serves the queries (by arrival) from event to event: arrivals, ends of segments. A segment takes
/// its time × the query's factor, at the rate that the slow-down by the others that run leaves.
/// Errors of serve_queries.
Result<ServingRun> simulate_serving(const ServingSystem& system, const std::vector<Query>& queries,
                                    const PolicyDef& policy, const PolicyVariant& variant,
                                    const ServingOptions& options = {});

}  // namespace opbench
