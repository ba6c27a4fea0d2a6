#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/analysis/correlation_report.h"
#include "experiments/analysis/trial_rows.h"

namespace opbench {

/// Reads what the paths hold, and correlates each task with its target: logs of trials in any
/// format, one store, or one sweep (swept_times.h), told apart by their content. The report has one
/// task at least. `kInvalidInput`: a path that cannot be read, a filter for a sweep; `kNoMatch`: no
/// trial with knobs, or none of the task or target asked for (with the known tasks and a guess).
Result<CorrelationReport> correlation_report(const std::vector<std::string>& paths,
                                             const TrialFilter& filter,
                                             const CorrelationRequest& request);

}  // namespace opbench
