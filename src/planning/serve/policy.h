#pragma once

#include <string>
#include <vector>

#include "base/tables/table.h"
#include "planning/serve/queries.h"
#include "planning/serve/slow_down.h"

/// Which query runs next, on how many workers, for how many segments. A policy is one file,
/// `src/planning/serve/policies/<x>_policy.cpp`, that defines `PolicyDef <x>_policy()`; nothing
/// else is edited.
namespace opbench {

/// A query that has begun or not, and that no worker runs now.
struct WaitingQuery {
  int id = 0;
  size_t model = 0;
  double arrival_ms = 0;
  double deadline_ms = 0;
  size_t segment = 0;  ///< the next one
};

/// A query that runs until the end of what was launched.
struct RunningQuery {
  WaitingQuery query;  ///< `segment` is the one after those that were launched
  size_t team = 0;     ///< index in ServingSystem::teams
  double left_ms = 0;  ///< predicted, until then; at least 0
};

/// What a policy may know: nothing of later arrivals, nor of how long a segment takes this time.
struct ServingState {
  double now_ms = 0;
  int free_workers = 0;  ///< at least 1
  const ServingSystem& system;
  const RestTimes& rests;
  const SlowDown& slow_down;                 ///< as predicted
  const std::vector<WaitingQuery>& waiting;  ///< at least one, by arrival
  const std::vector<RunningQuery>& running;
};

/// Starts a query on a team for its next segments, without a break between them.
struct Launch {
  int query = 0;
  size_t segments = 1;
  size_t team = 0;  ///< index in ServingSystem::teams
};

struct Decision {
  std::vector<Launch> launches;  ///< of different waiting queries, on free workers only
  std::vector<int> drops;        ///< waiting queries that are never answered
};

/// A way to use a policy.
struct PolicyVariant {
  std::string name;         ///< `wide`; with the policy's name `edf wide`
  bool is_wide = true;      ///< a query has all workers, else one
  bool drops_lost = false;  ///< a query that cannot be in time any more is dropped
};

struct PolicyDef {
  std::string name;  ///< what `--policy` takes
  std::string summary;
  bool is_baseline = true;
  std::vector<PolicyVariant> variants;
  /// A pure function: equal states give equal decisions. Asked whenever a query arrives or ends its
  /// launch and a worker is free. With nothing running it has to launch or drop something.
  Decision (*decide)(const ServingState& state, const PolicyVariant& variant) = nullptr;
};

/// Every policy, from the files `<x>_policy.cpp`.
const Table<PolicyDef>& policy_table();

/// Whether the query ends late even if all workers begin with it now.
bool is_lost(const ServingState& state, const WaitingQuery& query);

}  // namespace opbench
