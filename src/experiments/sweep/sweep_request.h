#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/sweep/sweep_plan.h"
#include "measuring/results/sweep_result.h"
#include "records/record/replay.h"

namespace opbench {

/// A sweep: what to measure, and whom to tell of it.
struct SweepRequest {
  SweepPlan plan;
  std::vector<std::string> argv;     ///< the command line, for the result
  std::vector<ReplayItem> recorded;  ///< points of this request that were measured before
  /// Gets the records of each run as soon as it is over; false ends the sweep. May be empty.
  std::function<bool(const std::vector<BenchmarkRecord>&)> keep;
  std::function<void(const SweepPoint&)> finished;  ///< called for each point; may be empty
  std::function<void(const Progress&)> progress;    ///< with an ETA over all points; may be empty
  const std::atomic<bool>* cancel = nullptr;
  /// Makes the plan of a point whose units run as streams, and names its file in the request. May
  /// be empty where no point has streams.
  std::function<Result<void>(ProfileRequest&)> find_plan;
  /// What measures, in place of run_profile_with; for tests.
  std::function<Result<ProfileResult>(const ProfileRequest&)> profile;
};

/// Measures the points of the plan, those of one run (engines and thread counts) with their engine
/// runs interleaved. A point that fails is a row with its reason. Of a recorded point the record
/// counts if it has a time, asks for the same, and is of this machine and the same model. After a
/// cancel the result holds the points there are; those of the run that was cut short are marked.
SweepResult run_sweep(const SweepRequest& request);

}  // namespace opbench
