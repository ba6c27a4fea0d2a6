#include "records/store/parts/add_part.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "records/store/import/row_sources.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

/// Calls `take` with a hash of every id.
Result<void> for_each_hash(Database& database, const std::string& scan,
                           const std::function<void(uint64_t)>& take) {
  return database.for_each_chunk("SELECT hash(id) FROM " + scan, [&](void* handle) -> Result<void> {
    auto* const chunk = static_cast<duckdb_data_chunk>(handle);
    const auto* const hashes = static_cast<const uint64_t*>(
        duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)));
    for (idx_t i = 0; i < duckdb_data_chunk_get_size(chunk); ++i) take(hashes[i]);
    return {};
  });
}

/// Reads the ids of small parts, each once in the life of `known`.
Result<void> learn(Database& database, const std::vector<StorePart>& parts, KnownIds& known) {
  std::vector<StorePart> small;
  for (const StorePart& part : parts) {
    if (part.bytes < KnownIds::kSmallPartBytes && !known.has_part(part.name)) small.push_back(part);
  }
  if (small.empty() || !known.has_room()) return {};
  OPBENCH_CHECK(for_each_hash(database, scan_of(small), [&](uint64_t hash) { known.add(hash); }));
  for (const StorePart& part : small) known.add_part(part.name);
  return {};
}

/// The parts that may hold an id of the file.
Result<std::vector<StorePart>> suspects(Database& database, const std::filesystem::path& file,
                                        std::vector<StorePart> parts, KnownIds& known) {
  OPBENCH_CHECK(learn(database, parts, known));
  bool may_be_known = false;
  OPBENCH_CHECK(
      for_each_hash(database, fmt::format("read_parquet({})", sql_path(file)),
                    [&](uint64_t hash) { may_be_known = may_be_known || known.contains(hash); }));
  if (!may_be_known) {
    std::erase_if(parts, [&](const StorePart& part) { return known.has_part(part.name); });
  }
  return parts;
}

Result<int64_t> count_present(Database& database, const std::filesystem::path& file,
                              const std::vector<StorePart>& parts, KnownIds& known) {
  OPBENCH_TRY(const std::vector<StorePart> asked, suspects(database, file, parts, known));
  if (asked.empty()) return 0;
  OPBENCH_TRY(const QueryResult result,
              database.query(fmt::format(
                  "SELECT count(*) FROM read_parquet({}) SEMI JOIN (SELECT id FROM {}) USING (id)",
                  sql_path(file), scan_of(asked))));
  return result.rows[0][0].get<int64_t>();
}

/// A written part that is to be added.
struct NewPart {
  RecordKind kind;
  std::filesystem::path file;
  std::string name;
  int64_t rows;
};

/// Adds those rows whose id the store has not.
Result<void> add_rest(StoreFolder& store, Database& database, const NewPart& part,
                      const std::vector<StorePart>& present) {
  const std::filesystem::path rest = part.file.string() + ".rest";
  const std::string select =
      fmt::format("SELECT * FROM read_parquet({}) ANTI JOIN (SELECT id FROM {}) USING (id)",
                  sql_path(part.file), scan_of(present));
  OPBENCH_CHECK(database.run(copy_statement(select, rest, part.kind)));
  // What is left out depends on the store, so the name does too.
  std::string content = part.name;
  for (const StorePart& other : present) content += other.name;
  OPBENCH_CHECK(store.commit(rest, part.kind, part_name(content.data(), content.size())));
  return {};
}

/// Ends with is_missing_part() when parts were merged meanwhile.
Result<Addition> try_to_add(StoreFolder& store, Database& database, const NewPart& part) {
  OPBENCH_TRY(const std::vector<StorePart> parts, store.live_parts(part.kind));
  OPBENCH_TRY(const std::set<std::string> superseded, store.superseded_names(part.kind));
  const bool is_there = superseded.contains(part.name) ||
                        std::ranges::find(parts, part.name, &StorePart::name) != parts.end();
  if (is_there) return Addition{0, part.rows};
  OPBENCH_TRY(const int64_t present,
              count_present(database, part.file, parts, store.known_ids(part.kind)));
  if (present == part.rows) return Addition{0, part.rows};
  if (present > 0) {
    OPBENCH_CHECK(add_rest(store, database, part, parts));
  } else {
    OPBENCH_CHECK(store.commit(part.file, part.kind, part.name));
  }
  return Addition{part.rows - present, present};
}

}  // namespace

Result<Addition> add_part(StoreFolder& store, Database& database, RecordKind kind,
                          const std::filesystem::path& file, const std::string& name,
                          int64_t rows) {
  OPBENCH_TRY(const FolderLock lock, FolderLock::take(store.path(), "_import"));
  constexpr int kAttempts = 100;
  for (int attempt = 1;; ++attempt) {
    Result<Addition> added = try_to_add(store, database, {kind, file, name, rows});
    if (added && added->present > 0 && kind == RecordKind::kTrial) {
      const std::string sources = "SELECT id, file, line FROM read_parquet(" + sql_path(file) + ")";
      const Result<void> kept = add_sources(store, database, sources, file.parent_path());
      if (!kept) added = kept.error();
    }
    if (added || !is_missing_part(added.error()) || attempt == kAttempts) return added;
  }
}

}  // namespace opbench
