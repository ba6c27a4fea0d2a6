#pragma once

#include <cstddef>
#include <string>

#include "experiments/sweep/sweep_plan.h"
#include "presentation/cli/waits/wait_notice.h"

namespace opbench {

/// Of a command that measures `points` points of the plan, each with the budget.
WaitNotice sweep_waits(const std::string& command, const SweepPlan& plan, size_t points,
                       ProgressLine& progress);

}  // namespace opbench
