#include "records/store/parts/drop_samples.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/files/file.h"
#include "records/store/parts/compact.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// Every column of the parts, with those that hold samples, or say what else holds them, replaced
/// where the condition is true.
std::string select_without_samples(const std::string& scan, const std::string& condition) {
  const std::string logs = "list_transform(runtime_raw_ms, sample -> ln(sample))";
  const std::string new_labels = fmt::format(
      "MAP {{'{}': 'dropped', '{}': CAST(list_aggregate(runtime_raw_ms, 'median') AS VARCHAR), "
      "'{}': CAST(list_aggregate({}, 'mad') AS VARCHAR)}}",
      kSamplesLabel, kDroppedMedianLabel, kDroppedDeviationLabel, logs);
  const std::string labels = fmt::format("map_concat(labels, {})", new_labels);
  const std::string record = fmt::format(
      "CAST(json_merge_patch(record, json_object('runtime_raw', NULL, 'runtime_raw_ms', NULL, "
      "'labels', to_json({}))) AS VARCHAR)",
      labels);
  const auto where = [](const std::string& then, const char* column) {
    return fmt::format("CASE WHEN is_dropped THEN {} ELSE {} END AS {}", then, column, column);
  };
  return fmt::format(
      "SELECT * EXCLUDE (is_dropped) REPLACE ({}, {}, {}, {}) FROM (SELECT *, coalesce(({}) AND "
      "len(runtime_raw_ms) > 0, false) AS is_dropped FROM {})",
      where("NULL", "runtime_raw_ms"), where("NULL", "runtime_raw"), where(labels, "labels"),
      where(record, "record"), condition, scan);
}

/// How many results of some parts would lose their samples.
Result<int64_t> count_of(Database& database, const std::vector<StorePart>& parts,
                         const std::string& condition) {
  OPBENCH_TRY(
      const QueryResult counted,
      database.query(fmt::format("SELECT count(*) FROM {} WHERE ({}) AND len(runtime_raw_ms) > 0",
                                 scan_of(parts, RecordKind::kBenchmark), condition)));
  return counted.rows[0][0].get<int64_t>();
}

int64_t bytes_of(const std::vector<StorePart>& parts) {
  int64_t bytes = 0;
  for (const StorePart& part : parts) bytes += part.bytes;
  return bytes;
}

/// Parts from before records had labels or samples hold none of a suite.
bool lacks_a_column(const Error& error) {
  return to_text(error).find("not found in FROM clause") != std::string::npos;
}

}  // namespace

Result<int64_t> bytes_of_results(StoreFolder& store) {
  OPBENCH_TRY(const std::vector<StorePart> parts, store.live_parts(RecordKind::kBenchmark));
  return bytes_of(parts);
}

Result<SampleDrop> drop_samples(StoreFolder& store, const std::string& condition) {
  constexpr RecordKind kKind = RecordKind::kBenchmark;
  SampleDrop result;
  OPBENCH_TRY(const FolderLock lock, FolderLock::take(store.path(), "_compact", false));
  result.is_elsewhere = !lock.is_held();
  if (result.is_elsewhere) return result;
  OPBENCH_TRY(std::vector<StorePart> parts, store.live_parts(kKind));
  result.bytes_after = bytes_of(parts);
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make_in(store.temporary()));
  OPBENCH_TRY(Database database, Database::open(writing_options(folder.path() / "spill", 0)));
  std::vector<StorePart> touched;
  for (const StorePart& part : parts) {
    const auto count = count_of(database, {part}, condition);
    if (!count && lacks_a_column(count.error())) continue;
    if (!count) return count.error();
    result.records += *count;
    if (*count > 0) touched.push_back(part);
  }
  if (touched.empty()) return result;
  OPBENCH_TRY(const std::vector<std::string> names, names_of_parts(touched));
  const fs::path file = folder.path() / "part.tmp";
  const Result<void> written = database.run(copy_statement(
      select_without_samples(scan_of(touched, kKind), condition), file, kKind, names));
  if (!written) {
    return Error{written.error().code,
                 fmt::format("cannot drop samples of the store \"{}\"", store.path().string())}
        .with("reason", written.error().message)
        .with("changed", "nothing");
  }
  const std::string how = fmt::format("{} without {}", fmt::join(names, " "), condition);
  OPBENCH_CHECK(store.commit(file, kKind, made_part_name(how)));
  remove_part_files(touched);
  OPBENCH_TRY(result.bytes_after, bytes_of_results(store));
  return result;
}

}  // namespace opbench
