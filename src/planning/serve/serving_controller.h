#pragma once

#include <vector>

#include "base/errors/error.h"
#include "planning/serve/policy.h"
#include "planning/serve/serving_run.h"

namespace opbench {

/// Segments of a query that workers run without a break between them.
struct StartedLaunch {
  int query = 0;
  size_t model = 0;
  size_t first_segment = 0;
  size_t end_segment = 0;  ///< the one after the last
  size_t team = 0;         ///< index in ServingSystem::teams
  std::vector<int> workers;
};

struct EndedSegment {
  int query = 0;
  size_t segment = 0;
  double start_ms = 0;
  double end_ms = 0;
};

struct ServingEvent {
  double now_ms = 0;
  std::vector<EndedSegment> ended;  ///< since the last event; those of a query in their order
};

/// What runs launches: a simulation, or an engine. Its clock begins at 0 ms.
class ServingWorkers {
 public:
  virtual ~ServingWorkers() = default;
  /// The workers are free, and the query's earlier segments have ended.
  virtual Result<void> start(const StartedLaunch& launch) = 0;
  /// No more of a query that has begun will be asked for.
  virtual void forget(int query) = 0;
  /// Returns when a segment has ended or `until_ms` has come; infinity: something runs.
  virtual Result<ServingEvent> wait(double until_ms) = 0;
};

struct ControllerOptions {
  SlowDown predicted = {};  ///< what policies believe
  /// Queries of a model that have begun and not ended, at most; 0: any number. The policy sees no
  /// more new queries of a model than may begin.
  size_t most_in_flight = 0;
  bool keeps_spans = false;
};

/// Hands the queries (by arrival) to the workers as the policy decides, which is asked after every
/// event. `kSystem` that names the policy when a decision cannot be: a launch of a query that does
/// not wait, of segments or a team that are not there, or more workers than are free; nothing
/// running, nothing to come and nothing decided. Errors of the workers. The system passes
/// check_serving.
Result<ServingRun> serve_queries(const ServingSystem& system, const std::vector<Query>& queries,
                                 const PolicyDef& policy, const PolicyVariant& variant,
                                 const ControllerOptions& options, ServingWorkers& workers);

}  // namespace opbench
