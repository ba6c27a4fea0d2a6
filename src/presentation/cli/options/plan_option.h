#pragma once

#include "experiments/sessions/request/profile_request.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// --plan and --parallel, of commands that run a model.
OptionDef plan_option();
OptionDef parallel_option();

/// What they say. Of streams: the executor that follows plans. Of a plan: the file, the executor
/// that follows it, and the plan's threads and CPUs where the command line names none.
/// `kInvalidInput` for a file that is no plan, an executor that follows none, and streams beside a
/// plan. Without --plan it only leaves out times of single units where the executor follows plans:
/// each unit then runs on the team that the plan names.
Result<void> set_plan(const Arguments& arguments, ProfileRequest& request);

/// Where the executor follows plans and the request names none: the plan that was kept for it, or a
/// new one, with a note on the terminal. Errors of kept_plan.
Result<void> find_plan(ProfileRequest& request, Terminal& terminal);

}  // namespace opbench
