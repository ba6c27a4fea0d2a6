#include "records/store/parts/benchmark_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include <fstream>
#include <map>

#include "base/files/file.h"
#include "base/json/json_text.h"
#include "records/store/database/fitted_value.h"
#include "records/store/parts/add_part.h"
#include "records/store/parts/part_columns.h"
#include "records/store/rows/benchmark_row.h"

namespace opbench {
namespace {

/// Rows on their way: lines of JSON in a file, which DuckDB reads with the columns' types.
class RowFile {
 public:
  RowFile(const std::filesystem::path& path, RecordKind kind)
      : path_(path), kind_(kind), types_(types_of(kind)), stream_(path) {}

  Result<void> add(BenchmarkRecord record) {
    if (!record.record_id || record.record_id->size() != 64) {
      BenchmarkRecord without = record;
      without.record_id.reset();
      const Json json = to_json(without);
      const std::string text = canonical_text(json);
      const int64_t occurrence = seen_[XXH3_64bits(text.data(), text.size())]++;
      record.record_id = record_id_of(json, occurrence);
    }
    const XXH128_hash_t id = XXH3_128bits(record.record_id->data(), record.record_id->size());
    sum_.low += id.low64;
    sum_.high += id.high64 + (sum_.low < id.low64 ? 1 : 0);
    ++rows_;
    stream_ << json_text(fitted_row(record)) << '\n';
    if (stream_) return {};
    return Error{ErrorCode::kSystem, fmt::format("cannot write \"{}\"", path_.string())};
  }

  Result<Addition> add_to(StoreFolder& store, Database& database,
                          const std::filesystem::path& file) {
    stream_.close();
    if (rows_ == 0) return Addition{};
    std::string columns, selected;
    for (const ResultColumn& column : part_columns(kind_)) {
      if (column.name == "id") continue;
      columns += fmt::format("{}'{}': '{}'", columns.empty() ? "" : ", ", column.name, column.type);
    }
    const std::string select = fmt::format(
        "SELECT DISTINCT ON (id) * FROM (SELECT unhex(record_id) AS id, * EXCLUDE (record_id) FROM "
        "read_json({}, format = 'newline_delimited', maximum_object_size = 33554432, columns = "
        "{{'record_id': 'VARCHAR', {}}})) ORDER BY workload, hardware, engine, \"timestamp\"",
        sql_path(path_), columns);
    const Result<void> written = database.run(copy_statement(select, file, kind_));
    if (!written) {
      return Error{written.error().code,
                   fmt::format("cannot write the store \"{}\"", store.path().string())}
          .with("reason", written.error().message)
          .with("changed", "nothing");
    }
    OPBENCH_TRY(
        const QueryResult counted,
        database.query(fmt::format("SELECT count(*) FROM read_parquet({})", sql_path(file))));
    return add_part(store, database, kind_, file, part_name(kind_, sum_, rows_),
                    counted.rows[0][0].get<int64_t>());
  }

 private:
  Json fitted_row(const BenchmarkRecord& record) const {
    const Json whole = benchmark_row(record);
    Json row = {{"record_id", whole.at("record_id")}};
    for (const auto& [name, value] : whole.items()) {
      const auto type = types_.find(name);
      if (type != types_.end()) row[name] = fitted_value(value, type->second);
    }
    return row;
  }

  static std::map<std::string, std::string> types_of(RecordKind kind) {
    std::map<std::string, std::string> types;
    for (const ResultColumn& column : part_columns(kind)) types[column.name] = column.type;
    return types;
  }

  std::filesystem::path path_;
  RecordKind kind_;
  std::map<std::string, std::string> types_;  ///< of columns, by their names
  std::ofstream stream_;
  std::map<uint64_t, int64_t> seen_;
  Id128 sum_;
  int64_t rows_ = 0;
};

/// Rows of both kinds that a file of benchmark records may hold, each on its way to its own parts.
class RowFiles {
 public:
  explicit RowFiles(const std::filesystem::path& folder)
      : folder_(folder),
        measured_(folder / "rows.json", RecordKind::kBenchmark),
        predicted_(folder / "predicted.json", RecordKind::kPrediction) {}

  Result<void> add(BenchmarkRecord record) {
    RowFile& rows = is_predicted(record) ? predicted_ : measured_;
    return rows.add(std::move(record));
  }

  Result<Addition> add_to(StoreFolder& store, Database& database) {
    OPBENCH_TRY(Addition sum, measured_.add_to(store, database, folder_ / "part.tmp"));
    OPBENCH_TRY(const Addition more, predicted_.add_to(store, database, folder_ / "predicted.tmp"));
    sum.added += more.added;
    sum.present += more.present;
    return sum;
  }

 private:
  std::filesystem::path folder_;
  RowFile measured_;
  RowFile predicted_;
};

Result<Database> open_database(const TemporaryFolder& folder, int threads) {
  DatabaseOptions options = writing_options(folder.path() / "spill", threads);
  options.keeps_order = true;
  return Database::open(options);
}

}  // namespace

Result<Addition> append_records(StoreFolder& store, std::vector<BenchmarkRecord> records) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make_in(store.temporary()));
  OPBENCH_TRY(Database database, open_database(folder, 1));
  RowFiles rows(folder.path());
  for (BenchmarkRecord& record : records) OPBENCH_CHECK(rows.add(std::move(record)));
  return rows.add_to(store, database);
}

Result<FileImport> import_benchmarks(StoreFolder& store, RecordReader& reader,
                                     const std::string& path, const ImportOptions& options) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make_in(store.temporary()));
  OPBENCH_TRY(Database database, open_database(folder, options.threads));
  RowFiles rows(folder.path());
  FileImport result{.file = path};
  while (true) {
    OPBENCH_TRY(std::optional<ReadItem> item, reader.next());
    if (!item) break;
    if (!item->is_of_file) ++result.counts.records;
    result.counts.add(path, item->line, item->issues);
    if (!item->record) continue;
    auto* const record = std::get_if<BenchmarkRecord>(&*item->record);
    if (record == nullptr) {
      result.counts.add(path, item->line, {{"E_KEYS", "", "a trial among benchmark records"}});
      continue;
    }
    ++result.counts.valid;
    OPBENCH_CHECK(rows.add(std::move(*record)));
  }
  OPBENCH_TRY(const Addition addition, rows.add_to(store, database));
  result.added = addition.added;
  result.present = addition.present;
  return result;
}

}  // namespace opbench
