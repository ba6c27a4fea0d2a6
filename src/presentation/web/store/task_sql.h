#pragma once

#include <string>
#include <vector>

namespace opbench {

/// Statements that make the empty tables of tuning tasks. `tasks` is for pages: key, workload_key,
/// task, args, target, trials, failed, best_ms, first_ms, last_unix.
std::vector<std::string> task_tables();

/// Statement that adds the trials of `scan`, SQL behind FROM.
std::string task_addition(const std::string& scan);

/// Statement that makes `tasks` from what was added.
std::string task_conclusion();

}  // namespace opbench
