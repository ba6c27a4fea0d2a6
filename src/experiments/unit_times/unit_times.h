#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/engine_run.h"
#include "measuring/results/profile_result.h"
#include "model/operators/workloads/unit_identity.h"

namespace opbench {

/// Times of equal units inside the running model, in the order in which they run.
struct UnitRow {
  UnitIdentity identity;
  std::vector<double> in_place_ms;  ///< one each, or one mean for all
  std::vector<double> errors_ms;    ///< standard errors of these; empty: not known
  bool operator==(const UnitRow&) const = default;
};

/// What a profile says of a model at one thread count.
struct ThreadTimes {
  int threads = 1;
  std::vector<UnitRow> rows;
  double end_to_end_ms = 0;  ///< 0: not known
  std::string disturbance;   ///< why these times say little; empty: nothing is known against them
  double spread = 0;         ///< relative standard deviation of one run of the model
  bool operator==(const ThreadTimes&) const = default;
};

/// In-model times of OpBench's own kernels: isolated ones find their operands in the caches, and
/// never go into a plan.
struct ProfileTimes {
  std::string model;
  std::string sha256;  ///< of the model; empty: not known
  std::string run_id;
  std::vector<ThreadTimes> threads;
  bool operator==(const ProfileTimes&) const = default;
};

ProfileTimes times_of(const ProfileResult& result);

/// The same from a report of `opbench profile --format json`; `what` names it. `kInvalidInput` for
/// text that is none, of several models, of a single workload, or without times of our kernels.
Result<ProfileTimes> parse_profile_times(const std::string& text, const std::string& what);

struct TimeWithError {
  double ms = 0;
  double error_ms = 0;  ///< standard error: the unit's own, else as if it varied as the model does
  bool operator==(const TimeWithError&) const = default;
};

/// The time of each of the engine run's units, in their order. `kInvalidInput` for a unit that the
/// profile has no time of: it is of another model, or of kernels that have changed.
Result<std::vector<TimeWithError>> times_of_units(const ThreadTimes& times,
                                                  const EngineRun& engine_run);

/// The sizes of teams that are measured for so many workers: 1, 2, 4, …, and all of them.
std::vector<int> team_sizes(int workers);

}  // namespace opbench
