#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace opbench {

/// How long the threads of a process (its number, or `self`) were ready to run and had no CPU:
/// seconds since each thread began, summed over the threads that live (second number of
/// /proc/PID/task/*/schedstat). `root` is where /proc is looked for. Nothing where the kernel does
/// not count this.
std::optional<double> cpu_wait_s(const std::filesystem::path& root = "/",
                                 const std::string& process = "self");

}  // namespace opbench
