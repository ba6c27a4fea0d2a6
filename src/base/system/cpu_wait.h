#pragma once

#include <filesystem>
#include <optional>

namespace opbench {

/// How long this process's threads were ready to run and had no CPU: seconds since each thread
/// began, summed over the threads that live (second number of /proc/self/task/*/schedstat). `root`
/// is where /proc is looked for. Nothing where the kernel does not count this.
std::optional<double> cpu_wait_s(const std::filesystem::path& root = "/");

}  // namespace opbench
