#include <duckdb.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/files/file.h"
#include "records/store/best/best_index.h"
#include "records/store/best/best_index_writer.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// Parts in this many bytes are asked one by one rather than added to a large index.
constexpr int64_t kFewBytes = int64_t{16} << 20;
constexpr size_t kFewParts = 64;

constexpr const char* kBestLookupColumns =
    "workload_key, target, mean_s, timestamp_unix, config_index, knobs, knob_values, file, line, "
    "id";

/// Rows of kBestLookupColumns in one chunk.
class ChunkRows {
 public:
  explicit ChunkRows(void* handle) {
    auto* const chunk = static_cast<duckdb_data_chunk>(handle);
    size_ = duckdb_data_chunk_get_size(chunk);
    for (idx_t i = 0; i < 10; ++i) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, i);
      data_[i] = duckdb_vector_get_data(vector);
      validity_[i] = duckdb_vector_get_validity(vector);
    }
  }

  idx_t size() const { return size_; }
  template <class T>
  T value(idx_t column, idx_t row) const {
    if (validity_[column] != nullptr && !duckdb_validity_row_is_valid(validity_[column], row)) {
      return T{};
    }
    return static_cast<const T*>(data_[column])[row];
  }
  std::string_view text(idx_t column, idx_t row) const {
    if (validity_[column] != nullptr && !duckdb_validity_row_is_valid(validity_[column], row)) {
      return {};
    }
    auto* const string = static_cast<duckdb_string_t*>(data_[column]) + row;
    return {duckdb_string_t_data(string), duckdb_string_t_length(*string)};
  }
  BestTrial trial(idx_t row) const {
    const auto id = value<duckdb_hugeint>(9, row);
    return {.mean_s = value<double>(2, row),
            .timestamp = value<double>(3, row),
            .config_index = value<uint64_t>(4, row),
            .line = value<int64_t>(8, row),
            .id = {static_cast<uint64_t>(id.upper) ^ (uint64_t{1} << 63), id.lower},
            .knobs = std::string(text(5, row)),
            .knob_values = std::string(text(6, row)),
            .file = std::string(text(7, row))};
  }

 private:
  idx_t size_ = 0;
  void* data_[10] = {};
  uint64_t* validity_[10] = {};
};

/// Keys of targets, of which a store has few.
class TargetKeys {
 public:
  uint64_t of(std::string_view target) {
    if (target == last_) return last_key_;
    last_ = target;
    const auto [it, is_new] = keys_.try_emplace(last_, 0);
    if (is_new) it->second = target_key_of(last_);
    return last_key_ = it->second;
  }

 private:
  std::unordered_map<std::string, uint64_t> keys_;
  std::string last_ = "\n";
  uint64_t last_key_ = 0;
};

/// What the index does not cover. A merged part is covered when all that it stands for is.
std::vector<StorePart> not_covered(const std::vector<StorePart>& parts, const BestIndex* index) {
  if (index == nullptr) return parts;
  std::vector<StorePart> missing;
  for (const StorePart& part : parts) {
    if (!index->parts().contains(part.name)) missing.push_back(part);
  }
  return missing;
}

bool is_worth_an_index(const std::vector<StorePart>& missing) {
  int64_t bytes = 0;
  for (const StorePart& part : missing) bytes += part.bytes;
  return bytes > kFewBytes || missing.size() > kFewParts;
}

Result<std::optional<BestTrial>> ask(const std::vector<StorePart>& parts, const BestKey& key) {
  OPBENCH_TRY(Database database, Database::open({.threads = 1}));
  std::optional<BestTrial> best;
  TargetKeys targets;
  OPBENCH_CHECK(database.for_each_chunk(
      fmt::format("SELECT {} FROM {} WHERE error_no = 0 AND workload_key = {}", kBestLookupColumns,
                  scan_of(parts), key.workload),
      [&](void* handle) -> Result<void> {
        const ChunkRows rows(handle);
        for (idx_t row = 0; row < rows.size(); ++row) {
          if (targets.of(rows.text(1, row)) != key.target) continue;
          BestTrial trial = rows.trial(row);
          const bool is_better =
              !best || trial.mean_s < best->mean_s ||
              (trial.mean_s == best->mean_s && trial.timestamp < best->timestamp);
          if (is_better) best = std::move(trial);
        }
        return {};
      }));
  return best;
}

Result<void> gather(BestIndexWriter& writer, const std::vector<StorePart>& parts) {
  OPBENCH_TRY(Database database, Database::open({.threads = 1, .memory_limit = "128MB"}));
  TargetKeys targets;
  return database.for_each_chunk(
      fmt::format("SELECT {} FROM {} WHERE error_no = 0", kBestLookupColumns, scan_of(parts)),
      [&](void* handle) -> Result<void> {
        const ChunkRows rows(handle);
        for (idx_t row = 0; row < rows.size(); ++row) {
          const BestKey key{rows.value<uint64_t>(0, row), targets.of(rows.text(1, row))};
          if (!writer.is_better(key, rows.value<double>(2, row), rows.value<double>(3, row))) {
            continue;
          }
          OPBENCH_CHECK(writer.add(key, rows.trial(row)));
        }
        return {};
      });
}

Result<void> write_index(StoreFolder& store, const BestIndex* index,
                         const std::vector<StorePart>& parts,
                         const std::vector<StorePart>& missing) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make_in(store.temporary()));
  BestIndexWriter writer(folder.path(), index);
  if (!missing.empty()) OPBENCH_CHECK(gather(writer, missing));
  std::map<std::string, std::vector<std::string>> covered;
  for (const StorePart& part : parts) {
    bool is_gone = false;
    auto& replaced = covered[part.name];
    if (!part.name.starts_with("part-c")) continue;
    OPBENCH_TRY(replaced, read_replaced(part.path, is_gone));
  }
  const fs::path file = folder.path() / "best";
  OPBENCH_CHECK(writer.finish(file, covered));
  OPBENCH_CHECK(make_writable_folder(store.path() / "_index"));
  OPBENCH_CHECK(sync_file(file));
  std::error_code error;
  fs::rename(file, store.path() / "_index" / "best", error);
  if (!error) return {};
  return Error{ErrorCode::kSystem,
               fmt::format("cannot write \"{}\": {}", (store.path() / "_index/best").string(),
                           error.message())};
}

/// Errors also when a part goes away meanwhile, into a merged one.
Result<void> refresh_from(StoreFolder& store, const std::vector<StorePart>& parts) {
  const std::optional<BestIndex> index = BestIndex::open(store.path());
  const BestIndex* const older = index ? &*index : nullptr;
  const std::vector<StorePart> missing = not_covered(parts, older);
  if (missing.empty() && older != nullptr && older->parts().size() == parts.size()) return {};
  // A merged part of covered ones has no rows that the index has not seen.
  std::vector<StorePart> unseen;
  for (const StorePart& part : missing) {
    bool is_gone = false;
    OPBENCH_TRY(const auto replaced, read_replaced(part.path, is_gone));
    const bool is_seen =
        !replaced.empty() && older != nullptr &&
        std::ranges::all_of(replaced, [&](const std::string& name) {
          return older->parts().contains(name) ||
                 std::ranges::any_of(older->parts(), [&](const auto& known) {
                   return std::ranges::find(known.second, name) != known.second.end();
                 });
        });
    if (!is_seen) unseen.push_back(part);
  }
  return write_index(store, older, parts, unseen);
}

bool are_there(const std::vector<StorePart>& parts) {
  return std::ranges::all_of(parts, [](const StorePart& part) {
    std::error_code error;
    return fs::exists(part.path, error);
  });
}

}  // namespace

Result<void> refresh_best_index(StoreFolder& store) {
  OPBENCH_TRY(const FolderLock lock, FolderLock::take(store.path(), "_index.lock"));
  constexpr int kAttempts = 100;
  for (int attempt = 1;; ++attempt) {
    OPBENCH_TRY(const std::vector<StorePart> parts, store.live_parts(RecordKind::kTrial));
    Result<void> done = refresh_from(store, parts);
    if (done || attempt == kAttempts || are_there(parts)) return done;
  }
}

Result<std::optional<BestTrial>> find_best(StoreFolder& store, const std::string& target,
                                           std::string_view task, std::string_view args) {
  const BestKey key{workload_key_of(task, args), target_key_of(target)};
  std::optional<BestIndex> index = BestIndex::open(store.path());
  if (index) store.remember_replaced(index->parts());
  OPBENCH_TRY(std::vector<StorePart> parts, store.live_parts(RecordKind::kTrial));
  std::vector<StorePart> missing = not_covered(parts, index ? &*index : nullptr);
  if (is_worth_an_index(missing) && refresh_best_index(store)) {
    index = BestIndex::open(store.path());
    missing = not_covered(parts, index ? &*index : nullptr);
  }
  std::optional<BestTrial> best = index ? index->find(key) : std::nullopt;
  if (missing.empty()) return best;
  OPBENCH_TRY(std::optional<BestTrial> newer, ask(missing, key));
  const bool is_better =
      newer && (!best || newer->mean_s < best->mean_s ||
                (newer->mean_s == best->mean_s && newer->timestamp < best->timestamp));
  return is_better ? newer : best;
}

}  // namespace opbench
