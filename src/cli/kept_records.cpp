#include "opbench/cli/kept_records.h"

#include <ostream>

#include "opbench/base/file.h"
#include "opbench/record/profile_records.h"
#include "opbench/store/benchmark_parts.h"
#include "opbench/store/store_folder.h"

namespace opbench {
namespace {

Result<void> append_to_store(const std::vector<BenchmarkRecord>& records) {
  const std::filesystem::path folder = default_store_folder();
  if (folder == "none") return {};
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_write(folder));
  OPBENCH_CHECK(append_records(store, records));
  return {};
}

}  // namespace

Result<void> keep_records(const std::vector<BenchmarkRecord>& records, const std::string& file,
                          Terminal& terminal) {
  if (records.empty()) return {};
  Result<void> in_file;
  if (!file.empty()) in_file = append_file(file, to_lines(records));
  const Result<void> in_store = append_to_store(records);
  if (!in_store) {
    terminal.err << "warning: not kept in the store: " << in_store.error().message << "\n";
  }
  return in_file;
}

}  // namespace opbench
