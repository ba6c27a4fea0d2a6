#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"
#include "presentation/report/tables/text_table.h"
#include "records/formats/record_scan.h"

/// What the commands `records VERB` share.
namespace opbench {

/// FILE… of a command that reads records.
PositionalDef record_files();

/// --strict
OptionDef strict_option();

/// --strict as options of a scan. `kInvalidInput` if --output cannot be written.
Result<ScanOptions> scan_options(const Arguments& arguments);

/// The first issues of a file on stderr, a line each, and how many more there are.
void print_messages(const ScanReport& report, Terminal& terminal);

/// Nothing if every record was good. `kInvalidInput` when no file could be read, or with --strict;
/// else `kPartial` with how many were bad.
Result<void> outcome_of(const std::vector<ScanReport>& reports, bool is_strict);

/// In the --format asked for, to --output or stdout.
Result<void> write_answer(const Json& json, const TextTable& table, const Arguments& arguments,
                          Terminal& terminal);

}  // namespace opbench
