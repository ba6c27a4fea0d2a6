#pragma once

#include "base/errors/error.h"
#include "experiments/together/together_request.h"
#include "experiments/together/together_result.h"

namespace opbench {

/// Finds configs of two units that win side by side. Trials give each unit a list of configs (time,
/// resident bytes, DRAM bytes). Forecasts of all combinations in all arrangements, slowed as curves
/// and pressures of the configs say, name three, which run in turns with two baselines: one after
/// the other on both threads with the kernels that are fastest there, and side by side with the
/// kernels that are fastest on one. The best then runs afresh beside the better baseline, and is
/// the choice only where that verdict is `faster`; else that baseline is.
///
/// `kInvalidInput`: not two workloads, no workload, one that is no single unit, CPUs too few, a log
/// that holds trials. `kTimeBudget`: it ended before anything was compared. `kPartial`: a unit has
/// no config that works, a side fails. `kInterrupted`; what was tried is in the logs.
Result<TogetherResult> tune_together(const TogetherRequest& request);

}  // namespace opbench
