#pragma once

#include <filesystem>
#include <optional>

namespace opbench {

/// Seconds that this process's threads could run and had no CPU, each since it began, summed (the
/// second number of /proc/self/task/*/schedstat). Of threads that have ended it knows nothing.
/// Reading takes some 10 µs a thread. Nothing where the kernel does not count them.
std::optional<double> cpu_wait_s(const std::filesystem::path& root = "/");

}  // namespace opbench
