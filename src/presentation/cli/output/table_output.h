#pragma once

#include <string>
#include <vector>

#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// What every report can be written as: table, json, csv, md.
const std::vector<std::string>& report_formats();

/// --format. A command whose formats need more words passes its own help.
OptionDef format_option(std::string help = "table, json, csv or md");

/// The value of --format: one of report_formats(), or of `more`, which only this command writes.
/// `kInvalidInput` for another one.
Result<std::string> format_of(const Arguments& arguments,
                              const std::vector<std::string>& more = {});

/// --format and --output of commands that print one table.
std::vector<OptionDef> table_options();

/// Whether they can be followed, for commands that measure first: `kInvalidInput` for an unknown
/// format or a file that cannot be written.
Result<void> check_table_options(const Arguments& arguments);

/// What a report for people may look like.
struct TableForm {
  int width = 0;  ///< 0: as wide as it is
  TextStyle style;
};

/// The terminal's width and colours; neither for a report that goes to --output.
TableForm table_form(const Arguments& arguments, const Terminal& terminal);

/// Writes a table in the format asked for. As JSON: {"schema": schema, name: [{column: cell}]},
/// with cells of right-aligned columns as numbers, or null where a cell is `-`.
Result<void> write_table(const TextTable& table, const std::string& schema, const std::string& name,
                         const Arguments& arguments, Terminal& terminal);

/// The same of a table of things that there are, such as `models`: `opbench.list/1`.
Result<void> write_list(const TextTable& table, const std::string& name, const Arguments& arguments,
                        Terminal& terminal);

/// Writes a finished text to --output, or to stdout.
Result<void> write_text(const std::string& text, const Arguments& arguments, Terminal& terminal);

}  // namespace opbench
