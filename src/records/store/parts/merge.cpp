#include "records/store/parts/merge.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/files/file.h"
#include "base/files/outside_wait.h"
#include "records/store/database/views.h"
#include "records/store/import/row_sources.h"
#include "records/store/parts/add_part.h"

namespace opbench {

namespace fs = std::filesystem;

Result<Addition> merge_store(StoreFolder& store, StoreFolder& other, RecordKind kind) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make_in(store.temporary()));
  OPBENCH_TRY(Database database, Database::open(writing_options(folder.path() / "spill", 0)));
  OPBENCH_TRY(const std::vector<StorePart> parts, other.live_parts(kind));
  if (kind == RecordKind::kSource) {
    if (parts.empty()) return Addition{};
    OPBENCH_CHECK(add_sources(store, database, "SELECT * FROM " + scan_of(parts), folder.path()));
    return Addition{};
  }
  Addition sum;
  for (const StorePart& part : parts) {
    const fs::path file = folder.path() / "part.tmp";
    // Not a copy of the file: what that store's part stands for is of no concern to this one.
    OPBENCH_CHECK(database.run(copy_statement("SELECT * FROM " + scan_of({part}), file, kind)));
    OPBENCH_TRY(
        const QueryResult counted,
        database.query(fmt::format("SELECT count(*) FROM read_parquet({})", sql_path(file))));
    std::string name = part.name;
    if (name.starts_with("part-c")) name.replace(0, 6, "part-m");
    OPBENCH_TRY(const Addition addition,
                add_part(store, database, kind, file, name, counted.rows[0][0].get<int64_t>()));
    sum.added += addition.added;
    sum.present += addition.present;
  }
  return sum;
}

namespace {

/// Writes the rows to a file of DuckDB's own; returns how many.
Result<int64_t> copy_rows(StoreFolder& store, const std::string& rows, const fs::path& file,
                          bool is_csv) {
  const std::string form = is_csv ? "FORMAT csv, HEADER" : "FORMAT parquet, COMPRESSION zstd";
  OPBENCH_TRY(const QueryResult written,
              query_store(store, fmt::format("COPY (SELECT * FROM {}) TO {} ({}, USE_TMP_FILE "
                                             "false)",
                                             rows, sql_path(file), form)));
  return written.rows.empty() ? 0 : written.rows[0][0].get<int64_t>();
}

Error not_written(const fs::path& file, const std::string& reason) {
  return {ErrorCode::kSystem, fmt::format("cannot write \"{}\": {}", file.string(), reason)};
}

/// Into a device or pipe, which is there already and stays.
Result<void> pour(const fs::path& from, const fs::path& into) {
  const OutsideWait wait(into);
  std::ifstream source(from, std::ios::binary);
  std::ofstream target(into, std::ios::binary | std::ios::app);
  target << source.rdbuf();
  target.close();
  if (target) return {};
  return not_written(into, std::strerror(errno));
}

}  // namespace

Result<int64_t> export_rows(StoreFolder& store, const std::string& rows, const fs::path& file,
                            bool is_csv) {
  std::error_code error;
  const fs::path place = fs::absolute(file);
  if (fs::exists(place, error) && !fs::is_regular_file(place, error)) {
    OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
    OPBENCH_TRY(const int64_t count, copy_rows(store, rows, folder.path() / "rows", is_csv));
    OPBENCH_CHECK(pour(folder.path() / "rows", place));
    return count;
  }
  const fs::path temporary = place.parent_path() / fmt::format(".export-{}.opbench", ::getpid());
  const Result<int64_t> count = copy_rows(store, rows, temporary, is_csv);
  if (!count) {
    fs::remove(temporary, error);
    return count;
  }
  fs::rename(temporary, place, error);
  if (error) return not_written(file, error.message());
  return count;
}

}  // namespace opbench
