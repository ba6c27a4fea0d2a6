#include <nlohmann/json.hpp>

#include "presentation/cli/command.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/records/records_files.h"
#include "presentation/report/records/records_report.h"

namespace opbench {
namespace {

Result<void> run_records_stats(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const ScanOptions options, scan_options(arguments));
  std::vector<ScanReport> reports;
  RecordStats stats;
  for (const std::string& path : arguments.positionals()) {
    reports.push_back(scan_records(
        path, options,
        [&](const AnyRecord& record, const ReadItem& item) { stats.add(record, item.text); }));
    print_messages(reports.back(), terminal);
    if (options.is_strict) OPBENCH_CHECK(outcome_of(reports, true));
  }
  const RecordStats::Counts counts = stats.counts();
  OPBENCH_CHECK(
      write_answer(stats_json(counts, reports), stats_table(counts, reports), arguments, terminal));
  return outcome_of(reports, options.is_strict);
}

}  // namespace

CommandDef records_stats_command() {
  CommandDef command{.name = "records stats",
                     .summary = "Count what files hold: tasks, targets, workloads, failures",
                     .positionals = {record_files()},
                     .options = table_options(),
                     .examples = {{"opbench records stats tuning.log", ""}},
                     .help_rank = 7,
                     .run = run_records_stats};
  command.options.push_back(strict_option());
  return command;
}

}  // namespace opbench
