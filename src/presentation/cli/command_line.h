#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// The whole program: `argv[0]` is its name. Returns the exit code; errors are printed on
/// `terminal.err`.
int run_program(const std::vector<std::string>& argv, Terminal terminal);

/// One command line inside of another, with `argv` as run_program has it. Errors are returned.
Result<void> run_line(const std::vector<std::string>& argv, Terminal& terminal);

}  // namespace opbench
