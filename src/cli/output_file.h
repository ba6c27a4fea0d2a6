#pragma once

#include <string>
#include <string_view>

#include "opbench/base/error.h"

namespace opbench {

/// Nothing if a file can be written there, tried without changing anything; else `kInvalidInput`
/// with the system's reason. `option` names the option that asks for it.
Result<void> check_writable(const std::string& path, const std::string& option);

/// Replaces a regular file as a whole; writes into anything else (/dev/stdout, a pipe).
Result<void> write_output(const std::string& path, std::string_view content);

}  // namespace opbench
