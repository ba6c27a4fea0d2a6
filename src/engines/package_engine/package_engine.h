#pragma once

#include <string>

namespace opbench {

/// The main loop of an engine that loads packages and runs them: answers the engine protocol as
/// engine `name` until the requests end. No compiler and no LLVM inside. Returns the process's exit
/// code.
int serve_packages(const std::string& name);

}  // namespace opbench
