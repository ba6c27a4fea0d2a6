#include "records/store/part_writer.h"

#include <duckdb.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include <algorithm>
#include <set>

#include "records/store/row_sources.h"

namespace opbench {
namespace {

std::string hex_name(const void* data, size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(data, size);
  return fmt::format("part-{:016x}{:016x}", hash.high64, hash.low64);
}

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
      for_each_hash(database, fmt::format("read_parquet({})", sql_text(file.string())),
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
                  sql_text(file.string()), scan_of(asked))));
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
                  sql_text(part.file.string()), scan_of(present));
  OPBENCH_CHECK(database.run(copy_statement(select, rest, part.kind)));
  // What is left out depends on the store, so the name does too.
  std::string content = part.name;
  for (const StorePart& other : present) content += other.name;
  OPBENCH_CHECK(store.commit(rest, part.kind, hex_name(content.data(), content.size())));
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

bool is_missing_part(const Error& error) {
  return error.message.find("No such file") != std::string::npos ||
         error.message.find("No files found") != std::string::npos;
}

DatabaseOptions writing_options(const std::filesystem::path& spill_folder, int threads) {
  return {.threads = threads,
          .memory_limit = "192MB",
          .spill_folder = spill_folder,
          .keeps_order = false};
}

std::string copy_statement(const std::string& select, const std::filesystem::path& file,
                           RecordKind kind, const std::vector<std::string>& replaces) {
  std::string metadata = fmt::format("'opbench.schema': 'opbench.{}/1'", name_of(kind));
  if (!replaces.empty()) {
    metadata += fmt::format(", 'opbench.replaces': '{}'", fmt::join(replaces, " "));
  }
  // Parts that are merged have rows of tens of kilobytes: rows alone do not limit what a group
  // takes.
  const std::string_view limit = replaces.empty() ? "" : "ROW_GROUP_SIZE_BYTES '16MB', ";
  // Columns with more than a thousand values in a row group gain nothing from a dictionary, and
  // level 1 packs all others within 1.2 % of level 3: a sixth of an import's time.
  return fmt::format(
      "COPY ({}) TO {} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, "
      "ROW_GROUP_SIZE 30720, {}DICTIONARY_SIZE_LIMIT 1000, USE_TMP_FILE false, KV_METADATA {{{}}})",
      select, sql_text(file.string()), limit, metadata);
}

std::string scan_of(const std::vector<StorePart>& parts) {
  std::vector<std::string> paths;
  for (const StorePart& part : parts) paths.push_back(part.path.string());
  return fmt::format("read_parquet({}, hive_partitioning = false)", sql_list(paths));
}

std::string part_name(RecordKind kind, const Id128& sum_of_ids, int64_t rows) {
  const uint64_t words[4] = {static_cast<uint64_t>(kind), sum_of_ids.high, sum_of_ids.low,
                             static_cast<uint64_t>(rows)};
  return hex_name(words, sizeof words);
}

Result<Addition> add_part(StoreFolder& store, Database& database, RecordKind kind,
                          const std::filesystem::path& file, const std::string& name,
                          int64_t rows) {
  OPBENCH_TRY(const FolderLock lock, FolderLock::take(store.path(), "_import"));
  constexpr int kAttempts = 100;
  for (int attempt = 1;; ++attempt) {
    Result<Addition> added = try_to_add(store, database, {kind, file, name, rows});
    if (added && added->present > 0 && kind == RecordKind::kTrial) {
      const std::string sources =
          "SELECT id, file, line FROM read_parquet(" + sql_text(file.string()) + ")";
      const Result<void> kept = add_sources(store, database, sources, file.parent_path());
      if (!kept) added = kept.error();
    }
    if (added || !is_missing_part(added.error()) || attempt == kAttempts) return added;
  }
}

}  // namespace opbench
