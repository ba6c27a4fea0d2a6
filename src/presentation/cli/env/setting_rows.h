#pragma once

#include "base/errors/error.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// `env --settings`: every setting of the machine with its value, its range, and what sets it or
/// why nothing can. As Markdown: the hardware settings, their ranges, and how a run uses them.
Result<void> print_settings(const Arguments& arguments, Terminal& terminal);

}  // namespace opbench
