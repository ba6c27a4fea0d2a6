#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "base/errors/suggestion.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/output/output_file.h"
#include "records/store/parts/merge.h"

namespace opbench {
namespace {

/// --format, else what the ending of the file says.
Result<std::string> records_export_format_of(const Arguments& arguments) {
  const std::vector<std::string> known = {"parquet", "csv"};
  if (arguments.has("--format")) return arguments.choice("--format", known);
  const std::string& file = arguments.positionals()[0];
  const std::string extension = std::filesystem::path(file).extension().string();
  for (const std::string& format : known) {
    if (extension == "." + format) return format;
  }
  return Error{ErrorCode::kInvalidInput, fmt::format("the ending of \"{}\" names no format", file)}
      .with("known", ".parquet, .csv")
      .with("or give", "--format parquet or --format csv");
}

Result<void> run_records_export(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  const std::string& file = arguments.positionals()[0];
  OPBENCH_TRY(const std::string view,
              arguments.choice("--view", {"trials", "best", "sources", "benchmarks", "predictions",
                                          "environments"}));
  OPBENCH_TRY(const std::string form, records_export_format_of(arguments));
  OPBENCH_TRY(const std::filesystem::path folder, store_folder_of(arguments));
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(folder));
  OPBENCH_CHECK(check_writable(file, "FILE"));
  const std::string where = arguments.value("--where");
  const std::string rows =
      where.empty() ? view : fmt::format("(SELECT * FROM {} WHERE {})", view, where);
  OPBENCH_TRY(const int64_t count, export_rows(store, rows, file, form == "csv"));
  if (!terminal.is_quiet) terminal.err << "wrote " << file << ": " << count << " rows\n";
  return {};
}

}  // namespace

CommandDef records_export_command() {
  return {
      .name = "records export",
      .summary = "Write what the store holds as one Parquet or CSV file",
      .positionals = {{.name = "FILE",
                       .help = "what to write; its ending says how: .parquet or .csv",
                       .file = FileUse::kWritten}},
      .options = {{.name = "--format",
                   .value_name = "FORMAT",
                   .help = "parquet or csv, whatever the file's ending",
                   .is_settable = false,
                   .old_name = "--to"},
                  {.name = "--view",
                   .value_name = "VIEW",
                   .help = "trials, best, sources, benchmarks, predictions or environments",
                   .otherwise = "trials"},
                  {.name = "--where", .value_name = "SQL", .help = "only rows for which it holds"},
                  store_option()},
      .examples = {{"opbench records export best.csv --view best", ""}},
      .run = run_records_export};
}

}  // namespace opbench
