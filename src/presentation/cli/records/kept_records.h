#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/terminal.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// Appends what was measured to `file` (--record; empty: none) and to the default store, unless
/// OPBENCH_STORE is `none`. A store that cannot be written is a warning, as nobody asked for it on
/// the command line; a file is an error.
Result<void> keep_records(const std::vector<BenchmarkRecord>& records, const std::string& file,
                          Terminal& terminal);

/// Adds the trials of a log to the default store, those that are not there yet; a warning when it
/// cannot be written.
void keep_trials(const std::string& log, Terminal& terminal);

/// Keeps a report of the kind (records/store/kept_reports.h) in the default store; a warning when
/// it cannot be written.
void keep_whole_report(const std::string& kind, const std::string& text, Terminal& terminal);

}  // namespace opbench
