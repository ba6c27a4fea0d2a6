#include "records/store/parts/part_writer.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <string_view>

#include "records/store/database/utf8_path.h"

namespace opbench {

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
      select, sql_path(file), limit, metadata);
}

namespace {

std::string read_parquet_of(const std::vector<StorePart>& parts, std::string_view options) {
  std::vector<std::string> paths;
  for (const StorePart& part : parts) paths.push_back(utf8_path(part.path));
  return fmt::format("read_parquet({}, hive_partitioning = false{})", sql_list(paths), options);
}

}  // namespace

std::string scan_of(const std::vector<StorePart>& parts) { return read_parquet_of(parts, ""); }

std::string scan_of(const std::vector<StorePart>& parts, RecordKind kind) {
  const bool has_widened = kind == RecordKind::kBenchmark || kind == RecordKind::kPrediction;
  return read_parquet_of(parts, has_widened ? ", union_by_name = true" : "");
}

std::string part_name(const void* data, size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(data, size);
  return fmt::format("part-{:016x}{:016x}", hash.high64, hash.low64);
}

std::string part_name(RecordKind kind, const Id128& sum_of_ids, int64_t rows) {
  const uint64_t words[4] = {static_cast<uint64_t>(kind), sum_of_ids.high, sum_of_ids.low,
                             static_cast<uint64_t>(rows)};
  return part_name(words, sizeof words);
}

std::string made_part_name(const std::string& how) {
  constexpr std::string_view kBegin = "part-";
  return part_name(how.data(), how.size()).insert(kBegin.size(), "c");
}

}  // namespace opbench
