#pragma once

#include "base/errors/error.h"
#include "experiments/interference/interference_request.h"
#include "prediction/interference/interference_result.h"

namespace opbench {

/// What a run prepares: each subject, for one thread.
std::vector<ProfileRequest> prepared_requests(const InterferenceRequest& request);

/// Measures how much the heavy units of models slow each other down, side by side on two CPUs with
/// one thread each: the control, every unit beside the neighbour at each level, then pairs, until
/// the budget ends. The packages are checked before. Co-runs that fail are `failures`, not errors;
/// a run that is cancelled returns what exists, with a warning that says so.
/// `kInvalidInput`, `kEnvironment` as run_profile, and for fewer than two CPUs. `kEnvironment` too
/// where not one round was undisturbed, `kTimeBudget` where the budget ended before the first.
/// `kInterrupted`: cancelled before anything was measured.
Result<InterferenceResult> run_interference(const InterferenceRequest& request);

}  // namespace opbench
