#include <fmt/format.h>

#include "presentation/cli/command.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/output/table_output.h"
#include "records/store/parts/merge.h"

namespace opbench {
namespace {

constexpr const char* kRecordsMergeSchema = "opbench.records.merge/1";

Result<void> run_records_merge(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(format_of(arguments));
  TextTable table{.columns = {{.header = "store"}, {.header = "kind"}}};
  for (const char* header : {"added", "present"}) {
    table.columns.push_back({.header = header, .is_right_aligned = true});
  }
  std::vector<StoreFolder> others;
  OPBENCH_TRY(const std::filesystem::path folder, store_folder_of(arguments));
  for (const std::string& path : arguments.positionals()) {
    OPBENCH_TRY(StoreFolder other, StoreFolder::open_to_read(path));
    others.push_back(std::move(other));
  }
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_write(folder));
  for (StoreFolder& other : others) {
    for (const RecordKind kind : {RecordKind::kTrial, RecordKind::kBenchmark,
                                  RecordKind::kPrediction, RecordKind::kSource}) {
      OPBENCH_TRY(const Addition addition, merge_store(store, other, kind));
      if (kind == RecordKind::kSource) continue;  // they belong to the trials
      const bool is_none = addition.added + addition.present == 0;
      if (kind == RecordKind::kPrediction && is_none) continue;  // most stores have none
      table.rows.push_back({{other.path().string(), std::string(name_of(kind)),
                             fmt::to_string(addition.added), fmt::to_string(addition.present)}});
    }
  }
  return write_table(table, kRecordsMergeSchema, "stores", arguments, terminal);
}

}  // namespace

CommandDef records_merge_command() {
  std::vector<OptionDef> options = table_options();
  options.push_back(store_option());
  return {.name = "records merge",
          .summary = "Add to the store what other stores have",
          .positionals = {{.name = "STORE", .help = "folders of other stores", .repeats = true}},
          .options = options,
          .run = run_records_merge};
}

}  // namespace opbench
