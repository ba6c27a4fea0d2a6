#pragma once

#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/sweep_result.h"
#include "presentation/cli/command.h"

namespace opbench {

/// What a command line with a MODEL|WORKLOAD and --over asks to be swept.
struct SweepSetup {
  ProfileRequest base;  ///< with the command of a point in `argv`
  std::vector<SweepKey> keys;
};

/// From the options of `profile` and --over. `kInvalidInput`: no such model, a workload that cannot
/// be read, options of the other kind, a key that an option fixes.
Result<SweepSetup> sweep_setup_of(const Invocation& invocation);

}  // namespace opbench
