#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ostream>

#include "base/json/json.h"
#include "base/json/json_text.h"
#include "base/text/printable.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/output/table_output.h"
#include "records/formats/codec.h"
#include "records/store/import/import.h"

namespace opbench {
namespace {

constexpr const char* kRecordsImportSchema = "opbench.records.import/1";

constexpr size_t kShownMessages = 20;

int64_t sum(const std::map<std::string, int64_t>& counts) {
  int64_t total = 0;
  for (const auto& [code, count] : counts) total += count;
  return total;
}

Json to_json(const FileImport& file) {
  return {{"file", file.file},
          {"format", file.format.empty() ? Json() : Json(file.format)},
          {"records", file.counts.records},
          {"valid", file.counts.valid},
          {"added", file.added},
          {"present", file.present},
          {"errors", file.counts.errors},
          {"warnings", file.counts.warnings},
          {"messages", file.counts.ordered_messages()}};
}

TextTable records_import_to_table(const std::vector<FileImport>& files) {
  TextTable table{.columns = {{.header = "file"}, {.header = "format"}}};
  for (const char* header : {"records", "valid", "added", "present", "errors", "warnings"}) {
    table.columns.push_back({.header = header, .is_right_aligned = true});
  }
  for (const FileImport& file : files) {
    TextRow row{{file.file, file.format.empty() ? "-" : file.format}};
    for (const int64_t count : {file.counts.records, file.counts.valid, file.added, file.present,
                                sum(file.counts.errors), sum(file.counts.warnings)}) {
      row.cells.push_back(fmt::to_string(count));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void print_records_import_messages(const std::vector<FileImport>& files, Terminal& terminal) {
  size_t shown = 0, all = 0;
  for (const FileImport& file : files) {
    all += static_cast<size_t>(sum(file.counts.errors) + sum(file.counts.warnings));
    for (const std::string& message : file.counts.ordered_messages()) {
      if (shown++ < kShownMessages) terminal.err << printable(message) << "\n";
    }
  }
  if (all > kShownMessages) terminal.err << "… and " << all - kShownMessages << " more\n";
}

Result<void> write_records_import_report(const std::vector<FileImport>& files,
                                         const StoreFolder& store, const Arguments& arguments,
                                         Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format == "json") {
    Json json = {{"schema", kRecordsImportSchema},
                 {"store", store.path().string()},
                 {"files", Json::array()}};
    for (const FileImport& file : files) json["files"].push_back(to_json(file));
    return write_text(json_text(json, 2) + "\n", arguments, terminal);
  }
  print_records_import_messages(files, terminal);
  return write_table(records_import_to_table(files), "", "", arguments, terminal);
}

Result<void> run_records_import(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(format_of(arguments));
  OPBENCH_TRY(const int threads, store_threads_of(arguments));
  OPBENCH_TRY(const std::filesystem::path folder, store_folder_of(arguments));
  for (const std::string& path : arguments.positionals()) OPBENCH_CHECK(open_records(path));
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_write(folder));
  std::vector<FileImport> files;
  int64_t bad = 0;
  for (const std::string& path : arguments.positionals()) {
    OPBENCH_TRY(FileImport file, import_file(store, path, {.threads = threads}));
    bad += sum(file.counts.errors);
    files.push_back(std::move(file));
  }
  OPBENCH_CHECK(write_records_import_report(files, store, arguments, terminal));
  if (bad == 0) return {};
  return Error{ErrorCode::kPartial, fmt::format("{} records could not be imported", bad)};
}

}  // namespace

CommandDef records_import_command() {
  std::vector<OptionDef> options = table_options();
  options.push_back(store_option());
  options.push_back(store_threads_option());
  return {.name = "records import",
          .summary = "Add records of any format to the store",
          .positionals = {{.name = "FILE",
                           .help = "logs, of any known format",
                           .repeats = true,
                           .file = FileUse::kRead}},
          .options = options,
          .examples = {{"opbench records import *.log", "again: adds nothing"}},
          .run = run_records_import};
}

}  // namespace opbench
