#pragma once

#include <vector>

#include "presentation/cli/command.h"

namespace opbench {

/// --together, and what has a meaning with it alone.
std::vector<OptionDef> together_options();

/// `tune --together 'SPEC A' 'SPEC B'`. Nothing is measured for options that have no meaning with
/// it. Errors as tune_together.
Result<void> tune_set(const Invocation& invocation, Terminal& terminal);

}  // namespace opbench
