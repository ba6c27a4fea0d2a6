#include <fmt/format.h>

#include <ostream>

#include "opbench/base/suggestion.h"
#include "opbench/cli/command.h"
#include "opbench/cli/output_file.h"
#include "opbench/cli/store_option.h"
#include "opbench/store/merge.h"

namespace opbench {
namespace {

Result<void> run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  const std::string& file = arguments.positionals()[0];
  OPBENCH_TRY(const std::string view,
              arguments.choice("--view", {"trials", "best", "benchmarks", "environments"}));
  OPBENCH_TRY(const std::string form, arguments.choice("--to", {"parquet", "csv"}));
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(store_folder_of(arguments)));
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
      .positionals = {{.name = "FILE", .help = "what to write"}},
      .options = {{.name = "--to",
                   .value_name = "FORMAT",
                   .help = "parquet or csv",
                   .otherwise = "parquet"},
                  {.name = "--view",
                   .value_name = "VIEW",
                   .help = "trials, best, benchmarks or environments",
                   .otherwise = "trials"},
                  {.name = "--where", .value_name = "SQL", .help = "only rows for which it holds"},
                  store_option()},
      .examples = {{"opbench records export best.csv --to csv --view best", ""}},
      .run = run};
}

}  // namespace opbench
