#pragma once

#include <vector>

#include "experiments/compare/compare_request.h"
#include "presentation/cli/command.h"

namespace opbench {

/// What `compare` takes besides the output options.
std::vector<OptionDef> compare_options();

/// True when a base and a new side are told apart by options, and slower is a failure.
bool has_two_sides(const Arguments& arguments);

/// The sides and how they are judged. `kInvalidInput` for values that cannot be, fewer than two
/// sides, or sides that are told apart by options while one of them names several engines.
Result<CompareRequest> compare_request_of(const Invocation& invocation);

}  // namespace opbench
