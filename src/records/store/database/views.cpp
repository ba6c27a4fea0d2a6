#include "records/store/database/views.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "records/store/parts/part_columns.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

/// Seconds since 1970. A log may hold any number as its moment: one outside of the calendar has no
/// timestamp, and does not end the query.
constexpr int64_t kYear1 = -62'135'596'800;
constexpr int64_t kYear10000 = 253'402'300'799;

Result<std::string> views_rows_of(StoreFolder& store, RecordKind kind) {
  OPBENCH_TRY(const std::vector<StorePart> parts, store.live_parts(kind));
  if (!parts.empty()) return scan_of(parts, kind);
  return fmt::format("(SELECT {} WHERE false)", no_values(kind));
}

}  // namespace

Result<void> create_views(Database& database, StoreFolder& store) {
  OPBENCH_CHECK(database.run("SET parquet_metadata_cache = true"));  // parts never change
  OPBENCH_TRY(const std::string trials, views_rows_of(store, RecordKind::kTrial));
  OPBENCH_CHECK(database.run(fmt::format(
      "CREATE OR REPLACE VIEW trials AS SELECT *, CASE WHEN timestamp_unix BETWEEN {} AND {} THEN "
      "to_timestamp(timestamp_unix) AT TIME ZONE 'UTC' END AS \"timestamp\" FROM {}",
      kYear1, kYear10000, trials)));
  OPBENCH_TRY(const std::string sources, views_rows_of(store, RecordKind::kSource));
  OPBENCH_CHECK(database.run(
      fmt::format("CREATE OR REPLACE VIEW sources AS SELECT id, file, line FROM trials UNION ALL "
                  "SELECT id, file, line FROM {}",
                  sources)));
  OPBENCH_CHECK(database.run(
      "CREATE OR REPLACE VIEW best AS SELECT target, task, args, min(mean_s) AS mean_s, "
      "arg_min(config_index, mean_s) AS config_index, arg_min(knobs, mean_s) AS knobs, "
      "arg_min(knob_values, mean_s) AS knob_values, count(*) AS trials, "
      "arg_min(file, mean_s) AS file, arg_min(line, mean_s) AS line, arg_min(id, mean_s) AS id, "
      "workload_key FROM trials WHERE error_no = 0 GROUP BY workload_key, target, task, args"));
  OPBENCH_TRY(const std::string benchmarks, views_rows_of(store, RecordKind::kBenchmark));
  OPBENCH_CHECK(database.run(
      fmt::format("CREATE OR REPLACE VIEW benchmarks AS SELECT lower(hex(id)) AS record_id, * "
                  "EXCLUDE (id) FROM {}",
                  benchmarks)));
  OPBENCH_TRY(const std::string predictions, views_rows_of(store, RecordKind::kPrediction));
  OPBENCH_CHECK(database.run(
      fmt::format("CREATE OR REPLACE VIEW predictions AS SELECT lower(hex(id)) AS record_id, * "
                  "EXCLUDE (id) FROM {}",
                  predictions)));
  return database.run(
      "CREATE OR REPLACE VIEW environments AS SELECT machine_hash, software_hash, hardware, "
      "any_value(hw_model) AS hw_model, any_value(os) AS os, any_value(cpu_count) AS cpu_count, "
      "any_value(memory_gb) AS memory_gb, any_value(gpu_name) AS gpu_name, "
      "list_sort(list(DISTINCT engine)) AS engines, count(*) AS records, "
      "min(\"timestamp\") AS first, max(\"timestamp\") AS last, "
      "any_value(hardware_config) AS hardware_config, any_value(software_config) AS "
      "software_config FROM benchmarks GROUP BY machine_hash, software_hash, hardware");
}

Result<QueryResult> query_store(StoreFolder& store, const std::string& sql,
                                const DatabaseOptions& options) {
  OPBENCH_TRY(Database database, Database::open(options));
  OPBENCH_CHECK(database.check_single(sql));
  constexpr int kAttempts = 100;
  for (int attempt = 1;; ++attempt) {
    Result<void> made = create_views(database, store);
    Result<QueryResult> result =
        made ? database.query(sql) : Result<QueryResult>(std::move(made).error());
    if (result || !is_missing_part(result.error()) || attempt == kAttempts) return result;
  }
}

}  // namespace opbench
