#pragma once

#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "presentation/cli/arguments.h"

namespace opbench {

/// What decides a model's free dimensions: --batch-size, --dim, --shape, --input.
std::vector<OptionDef> extent_options();

/// Takes what extent_options() say into the request. `kInvalidInput` for any value that cannot be.
Result<void> set_extents(const Arguments& arguments, ProfileRequest& request);

}  // namespace opbench
