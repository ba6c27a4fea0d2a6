#include "records/store/import/import.h"

#include <fmt/format.h>

#include "base/files/file.h"
#include "base/text/printable.h"
#include "records/formats/codec.h"
#include "records/store/database/database.h"
#include "records/store/import/trial_table.h"
#include "records/store/parts/add_part.h"
#include "records/store/parts/benchmark_parts.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

/// What a line of a log takes at least, so that its lines can be guessed.
constexpr int64_t kBytesPerRecord = 400;
constexpr int64_t kRecordsOfPipe = 1 << 20;

/// An error of DuckDB about a file in `_tmp`, in the words of the store.
Error cannot_write(const StoreFolder& store, const Error& error) {
  return Error{error.code, fmt::format("cannot write the store \"{}\"", store.path().string())}
      .with("reason", error.message)
      .with("changed", "nothing");
}

/// Files hold one kind of records.
Result<bool> begins_with_benchmark(RecordReader& reader) {
  while (true) {
    OPBENCH_TRY(const std::optional<ReadItem> item, reader.next());
    if (!item) return false;
    if (item->record) return std::holds_alternative<BenchmarkRecord>(*item->record);
  }
}

Result<FileImport> import_general(StoreFolder& store, const std::string& path,
                                  const ImportOptions& options) {
  OPBENCH_TRY(const std::unique_ptr<TrialSource> source, open_general_source(path));
  return import_trials(store, *source, path, options);
}

}  // namespace

Result<FileImport> import_trials(StoreFolder& store, TrialSource& source, const std::string& path,
                                 const ImportOptions& options) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make_in(store.temporary()));
  OPBENCH_TRY(Database database,
              Database::open(writing_options(folder.path() / "spill", options.threads)));
  const int64_t bytes = source.size_bytes();
  TrialTable table(source, bytes > 0 ? bytes / kBytesPerRecord : kRecordsOfPipe);
  OPBENCH_CHECK(table.add_to(database));
  const std::filesystem::path file = folder.path() / "part.tmp";
  const std::string select = fmt::format("SELECT *, {}::VARCHAR AS file FROM trial_scan()",
                                         sql_text(is_utf8(path) ? path : printable(path)));
  const Result<void> written = database.run(copy_statement(select, file, RecordKind::kTrial));
  if (!written) return table.error() ? *table.error() : cannot_write(store, written.error());
  FileImport result{.file = path, .counts = table.counts()};
  if (table.rows() == 0) return result;
  const std::string name = part_name(RecordKind::kTrial, table.sum(), table.rows());
  OPBENCH_TRY(const Addition addition,
              add_part(store, database, RecordKind::kTrial, file, name, table.rows()));
  result.added = addition.added;
  result.present = addition.present;
  return result;
}

Result<FileImport> import_file(StoreFolder& store, const std::string& path,
                               const ImportOptions& options) {
  OPBENCH_TRY(RecordFile file, open_records(path));
  if (file.codec == nullptr) return FileImport{.file = path};
  const bool is_fast = options.uses_scanner && file.codec->name == "autotvm";
  FileImport result;
  if (is_fast) {
    OPBENCH_TRY(const auto source, open_autotvm_source(path));
    OPBENCH_TRY(result, import_trials(store, *source, path, options));
  } else {
    OPBENCH_TRY(const bool has_benchmarks, begins_with_benchmark(*file.reader));
    OPBENCH_TRY(file, open_records(path));  // from the begin
    OPBENCH_TRY(result, has_benchmarks ? import_benchmarks(store, *file.reader, path, options)
                                       : import_general(store, path, options));
  }
  result.format = file.codec->name;
  return result;
}

}  // namespace opbench
