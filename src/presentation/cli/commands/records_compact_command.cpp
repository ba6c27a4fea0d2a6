#include <fmt/format.h>

#include "presentation/cli/command.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/output/table_output.h"
#include "records/store/best/best_index.h"
#include "records/store/parts/compact.h"

namespace opbench {
namespace {

constexpr const char* kRecordsCompactSchema = "opbench.records.compact/1";

Result<void> run_records_compact(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(format_of(arguments));
  OPBENCH_TRY(const int threads, store_threads_of(arguments));
  OPBENCH_TRY(const std::filesystem::path folder, store_folder_of(arguments));
  OPBENCH_CHECK(StoreFolder::open_to_read(folder));
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_write(folder));
  TextTable table{.columns = {{.header = "kind"}}};
  for (const char* header : {"parts_before", "parts_after", "merged", "leftovers_removed"}) {
    table.columns.push_back({.header = header, .is_right_aligned = true});
  }
  for (const RecordKind kind :
       {RecordKind::kTrial, RecordKind::kBenchmark, RecordKind::kPrediction, RecordKind::kSource}) {
    OPBENCH_TRY(const Compaction done, compact(store, kind, {.threads = threads}));
    if (done.is_elsewhere) {
      return Error{ErrorCode::kEnvironment,
                   fmt::format("another program compacts \"{}\"", store.path().string())};
    }
    const bool is_rare = kind == RecordKind::kSource || kind == RecordKind::kPrediction;
    if (is_rare && done.parts_before == 0) continue;  // most stores have none
    table.rows.push_back({{std::string(name_of(kind)), fmt::to_string(done.parts_before),
                           fmt::to_string(done.parts_after), fmt::to_string(done.parts_merged),
                           fmt::to_string(done.leftovers)}});
  }
  OPBENCH_CHECK(refresh_best_index(store));
  return write_table(table, kRecordsCompactSchema, "kinds", arguments, terminal);
}

}  // namespace

CommandDef records_compact_command() {
  std::vector<OptionDef> options = table_options();
  options.push_back(store_option());
  options.push_back(store_threads_option());
  return {.name = "records compact",
          .summary = "Merge the small parts of the store; others may read and write meanwhile",
          .options = options,
          .run = run_records_compact};
}

}  // namespace opbench
