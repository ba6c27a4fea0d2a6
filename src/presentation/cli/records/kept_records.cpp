#include "presentation/cli/records/kept_records.h"

#include <ostream>

#include "base/files/file.h"
#include "records/record/cut_record.h"
#include "records/record/profile_records.h"
#include "records/store/import/import.h"
#include "records/store/kept_reports.h"
#include "records/store/parts/benchmark_parts.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

Result<void> append_to_store(const std::vector<BenchmarkRecord>& records) {
  const auto folder = default_store_folder();
  if (!folder) return {};
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_write(*folder));
  OPBENCH_CHECK(append_records(store, records));
  return {};
}

Result<void> import_to_store(const std::string& log) {
  const auto folder = default_store_folder();
  if (!folder) return {};
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_write(*folder));
  OPBENCH_CHECK(import_file(store, log));
  return {};
}

Result<void> report_to_store(const std::string& kind, const std::string& text) {
  const auto folder = default_store_folder();
  if (!folder) return {};
  OPBENCH_CHECK(StoreFolder::open_to_write(*folder));
  OPBENCH_CHECK(keep_report(*folder, kind, text));
  return {};
}

Result<void> append_to_file(const std::vector<BenchmarkRecord>& records, const std::string& file,
                            Terminal& terminal) {
  OPBENCH_TRY(const bool was_cut, mend_last_line(file));
  if (was_cut) {
    terminal.err << "warning: the last record of \"" << file << "\" was cut and is removed\n";
  }
  return append_file(file, to_lines(records));
}

void warn(const Result<void>& kept, Terminal& terminal) {
  if (kept) return;
  terminal.err << "warning: not kept in the store: " << kept.error().message << "\n";
}

}  // namespace

Result<void> keep_records(const std::vector<BenchmarkRecord>& records, const std::string& file,
                          Terminal& terminal) {
  if (records.empty()) return {};
  Result<void> in_file;
  if (!file.empty()) in_file = append_to_file(records, file, terminal);
  warn(append_to_store(records), terminal);
  return in_file;
}

void keep_trials(const std::string& log, Terminal& terminal) {
  warn(import_to_store(log), terminal);
}

void keep_whole_report(const std::string& kind, const std::string& text, Terminal& terminal) {
  warn(report_to_store(kind, text), terminal);
}

}  // namespace opbench
