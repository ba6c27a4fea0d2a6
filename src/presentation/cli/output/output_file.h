#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/arguments.h"

namespace opbench {

/// Nothing if a file can be written there, tried without changing anything; else `kInvalidInput`
/// with the system's reason. `option` names the option that asks for it.
Result<void> check_writable(const std::string& path, const std::string& option);

/// `kInvalidInput` when two outputs of a command are one file, or one is also read: one would
/// destroy the other. Links are followed; devices and pipes may be named twice.
Result<void> check_outputs(const std::vector<FileArgument>& files);

/// Replaces a regular file as a whole; writes into anything else (/dev/stdout, a pipe). `kSystem`
/// when it cannot be written.
Result<void> write_output(const std::string& path, std::string_view content);

}  // namespace opbench
