#include "opbench/store/merge.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "opbench/base/file.h"
#include "opbench/store/row_sources.h"
#include "opbench/store/views.h"

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
    OPBENCH_TRY(const QueryResult counted,
                database.query(
                    fmt::format("SELECT count(*) FROM read_parquet({})", sql_text(file.string()))));
    std::string name = part.name;
    if (name.starts_with("part-c")) name.replace(0, 6, "part-m");
    OPBENCH_TRY(const Addition addition,
                add_part(store, database, kind, file, name, counted.rows[0][0].get<int64_t>()));
    sum.added += addition.added;
    sum.present += addition.present;
  }
  return sum;
}

Result<int64_t> export_rows(StoreFolder& store, const std::string& rows, const fs::path& file,
                            bool is_csv) {
  const fs::path place = fs::absolute(file);
  const fs::path temporary =
      place.parent_path() / fmt::format(".{}.opbench", place.filename().string());
  const std::string form = is_csv ? "FORMAT csv, HEADER" : "FORMAT parquet, COMPRESSION zstd";
  const auto written =
      query_store(store, fmt::format("COPY (SELECT * FROM {}) TO {} ({}, USE_TMP_FILE false)", rows,
                                     sql_text(temporary.string()), form));
  std::error_code error;
  if (!written) {
    fs::remove(temporary, error);
    return written.error();
  }
  fs::rename(temporary, place, error);
  if (error) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("cannot write \"{}\": {}", file.string(), error.message())};
  }
  return written->rows.empty() ? 0 : written->rows[0][0].get<int64_t>();
}

}  // namespace opbench
