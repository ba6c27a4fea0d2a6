#include <nlohmann/json.hpp>

#include "presentation/cli/command.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/records/records_files.h"
#include "presentation/report/records/records_report.h"

namespace opbench {
namespace {

Result<void> run_records_validate(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(ScanOptions options, scan_options(arguments));
  options.finds_repeats = true;
  std::vector<ScanReport> reports;
  for (const std::string& path : arguments.positionals()) {
    reports.push_back(scan_records(path, options, [](const AnyRecord&, const ReadItem&) {}));
    const bool has_failed = reports.back().has_errors();
    if (arguments.value("--format") != "json") print_messages(reports.back(), terminal);
    if (options.is_strict && has_failed) break;
  }
  OPBENCH_CHECK(write_answer(scan_json(reports), scan_table(reports), arguments, terminal));
  return outcome_of(reports, options.is_strict);
}

}  // namespace

CommandDef records_validate_command() {
  CommandDef command{
      .name = "records validate",
      .summary = "Check files of records and logs line by line",
      .positionals = {record_files()},
      .options = table_options(),
      .examples = {{"opbench records validate tuning.log", "says what is wrong where"}},
      .notes = "Exit code 5 when some records are bad, 2 when nothing could be read.",
      .help_rank = 7,
      .run = run_records_validate};
  command.options.push_back(strict_option());
  return command;
}

}  // namespace opbench
