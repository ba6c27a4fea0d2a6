#pragma once

#include <vector>

#include "experiments/sessions/profile_request.h"
#include "presentation/cli/command.h"

namespace opbench {

/// How something is measured: the options of `profile` and `op`.
std::vector<OptionDef> measuring_options();

/// What a model is fed with: further options of `profile`, with extent_options()
/// (extent_options.h).
std::vector<OptionDef> model_options();

/// Where results go: --format, --output, --record.
std::vector<OptionDef> output_options();

/// The request but for model and workload. `kInvalidInput` for any value that cannot be; nothing is
/// measured or built here.
Result<ProfileRequest> request_of(const Invocation& invocation);

}  // namespace opbench
