#pragma once

#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/profile_request.h"
#include "presentation/cli/arguments.h"

namespace opbench {

/// --tuning-log and --tuning-match.
std::vector<OptionDef> tuning_log_options();

/// The candidates of the log, and which log that is; nothing without one. The request's target and
/// threads are set. Errors as best_kernels.
Result<void> set_tuning_log(const Arguments& arguments, ProfileRequest& request);

}  // namespace opbench
