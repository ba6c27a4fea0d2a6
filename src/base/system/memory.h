#pragma once

#include <filesystem>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// Bytes that this process can still use: what the kernel has available, within the limits of the
/// control groups around the process (versions 1 and 2) and of `ulimit -v`. `root` is where /proc
/// and /sys are looked for. Infinity when nothing is known.
double available_memory(const std::filesystem::path& root = "/");

/// `kEnvironment` when `bytes` are not available; `what` completes "not enough memory for".
Result<void> check_room(double bytes, const std::string& what);

}  // namespace opbench
