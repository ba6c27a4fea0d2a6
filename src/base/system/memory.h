#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// Bytes that this process can still use: what the kernel has available, within the limits of the
/// control groups around the process (versions 1 and 2) and of `ulimit -v`. `root` is where /proc
/// and /sys are looked for. Infinity when nothing is known.
double available_memory(const std::filesystem::path& root = "/");

/// The most memory that was resident in this process, in bytes (VmHWM of /proc/self/status). Other
/// than ru_maxrss it leaves out the program that started this one. Nothing where it is not known.
std::optional<double> peak_resident_bytes(const std::filesystem::path& root = "/");

/// `kEnvironment` when `bytes` are not available; `what` completes "not enough memory for".
Result<void> check_room(double bytes, const std::string& what);

}  // namespace opbench
