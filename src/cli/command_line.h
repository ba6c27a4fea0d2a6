#pragma once

#include <string>
#include <vector>

#include "opbench/cli/terminal.h"

namespace opbench {

/// The whole program: `argv[0]` is its name. Returns the exit code; errors are printed on
/// `terminal.err`.
int run_program(const std::vector<std::string>& argv, Terminal terminal);

}  // namespace opbench
