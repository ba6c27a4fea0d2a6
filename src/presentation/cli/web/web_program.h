#pragma once

#include "base/errors/error.h"
#include "presentation/access/web_settings.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// Becomes the program that serves or writes the pages, which is built on first use. Returns only
/// with an error: `kEnvironment` where it is not there and cannot be built.
Result<void> start_web_program(WebSettings settings, Terminal& terminal);

}  // namespace opbench
