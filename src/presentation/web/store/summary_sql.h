#pragma once

#include <set>
#include <string>
#include <vector>

namespace opbench {

/// Statements that make the empty tables of a summary (web_store.h).
std::vector<std::string> summary_tables();

/// Statements that add the records of `scan` (SQL behind FROM) to `points`, `series`, `failures`,
/// `run_parts` and `machine_parts`. `columns`: those that the scan has; what older parts lack is
/// null.
std::vector<std::string> summary_additions(const std::string& scan,
                                           const std::set<std::string>& columns);

/// Statements that make `runs`, `stats`, `entries`, `entry_runs`, `machines` and `noise`
/// again.
std::vector<std::string> summary_conclusions();

}  // namespace opbench
