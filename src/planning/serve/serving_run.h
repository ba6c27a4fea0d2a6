#pragma once

#include <cstdint>
#include <vector>

#include "base/errors/error.h"
#include "planning/serve/queries.h"

namespace opbench {

/// What became of a query.
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

/// What came of serving some queries, simulated or measured.
struct ServingRun {
  std::vector<QueryOutcome> outcomes;  ///< one a query
  double end_ms = 0;                   ///< when the last query was answered or dropped
  double busy_worker_ms = 0;           ///< time of workers that launches took
  int64_t launches = 0;
  std::vector<ServingSpan> spans;  ///< by end; only where they are asked for
  bool operator==(const ServingRun&) const = default;
};

/// `kInvalidInput` when a worker runs two things at once, or a query is answered without each of
/// its segments run once, in order, after its arrival. Needs spans.
Result<void> check_run(const ServingSystem& system, const std::vector<Query>& queries,
                       const ServingRun& run);

}  // namespace opbench
