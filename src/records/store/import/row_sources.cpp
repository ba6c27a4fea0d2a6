#include "records/store/import/row_sources.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

/// Where the store knows rows to stand.
Result<std::string> known_sources(StoreFolder& store) {
  std::string known;
  for (const RecordKind kind : {RecordKind::kTrial, RecordKind::kSource}) {
    OPBENCH_TRY(const std::vector<StorePart> parts, store.live_parts(kind));
    if (parts.empty()) continue;
    if (!known.empty()) known += " UNION ALL ";
    known += "SELECT id, file FROM " + scan_of(parts);
  }
  return known;
}

/// One name for one set of rows: adding them again after a kill adds the same part.
Result<Id128> sum_of(Database& database, const std::string& file, int64_t& rows) {
  OPBENCH_TRY(const QueryResult sums,
              database.query(fmt::format(
                  "SELECT count(*), bit_xor(hash(id, file, line))::VARCHAR, "
                  "sum(hash(file, id) % 4294967296)::UBIGINT::VARCHAR FROM read_parquet({})",
                  sql_path(file))));
  rows = sums.rows[0][0].get<int64_t>();
  if (rows == 0) return Id128{};
  const auto word = [&](size_t column) {
    return std::stoull(sums.rows[0][column].get<std::string>());
  };
  return Id128{word(1), word(2)};
}

}  // namespace

Result<void> add_sources(StoreFolder& store, Database& database, const std::string& rows,
                         const std::filesystem::path& temporary) {
  OPBENCH_TRY(const std::vector<StorePart> trials, store.live_parts(RecordKind::kTrial));
  if (trials.empty()) return {};
  OPBENCH_TRY(const std::string known, known_sources(store));
  const std::filesystem::path file = temporary / "sources.tmp";
  const std::string select = fmt::format(
      "SELECT id, file, line FROM ({}) SEMI JOIN (SELECT id FROM {}) USING (id) ANTI JOIN ({}) "
      "USING (id, file)",
      rows, scan_of(trials), known);
  OPBENCH_CHECK(database.run(copy_statement(select, file, RecordKind::kSource)));
  int64_t count = 0;
  OPBENCH_TRY(const Id128 sum, sum_of(database, file.string(), count));
  if (count == 0) return {};
  OPBENCH_CHECK(
      store.commit(file, RecordKind::kSource, part_name(RecordKind::kSource, sum, count)));
  return {};
}

}  // namespace opbench
