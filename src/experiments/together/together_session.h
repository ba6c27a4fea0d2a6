#pragma once

#include "base/errors/error.h"
#include "experiments/together/together_request.h"
#include "experiments/together/together_result.h"

namespace opbench {

/// Finds configs of two units that win side by side.
/// - Trials give each unit a list of configs (time, resident bytes, DRAM bytes).
/// - Every combination is forecast in every arrangement, slowed down as the configs' curves and
///   pressures say. The three best forecasts become candidates.
/// - The candidates run in turns with two baselines: one after the other on both threads, with the
///   kernels that are fastest on two threads; and side by side, with the kernels that are fastest
///   on one.
/// - The best candidate then runs again beside the better baseline. It is chosen only if that
///   verdict is `faster`; else the baseline is.
///
/// `kInvalidInput`: not two workloads, no workload, one that is no single unit, CPUs too few, a log
/// that holds trials. `kTimeBudget`: it ended before anything was compared. `kPartial`: a unit has
/// no config that works, a side fails. `kInterrupted`; what was tried is in the logs.
Result<TogetherResult> tune_together(const TogetherRequest& request);

}  // namespace opbench
