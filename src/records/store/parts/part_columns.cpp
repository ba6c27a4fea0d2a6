#include "records/store/parts/part_columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

std::vector<ResultColumn> trial_columns() {
  return {{"id", "UUID"},
          {"workload_key", "UBIGINT"},
          {"target", "VARCHAR"},
          {"task", "VARCHAR"},
          {"args", "VARCHAR"},
          {"config_index", "UBIGINT"},
          {"knobs", "VARCHAR"},
          {"knob_values", "VARCHAR"},
          {"costs_s", "DOUBLE[]"},
          {"mean_s", "DOUBLE"},
          {"error_no", "TINYINT"},
          {"error_message", "VARCHAR"},
          {"all_cost_s", "DOUBLE"},
          {"timestamp_unix", "DOUBLE"},
          {"number_forms", "UTINYINT"},
          {"tvm_version", "VARCHAR"},
          {"format", "VARCHAR"},
          {"line", "BIGINT"},
          {"source", "VARCHAR"},
          {"file", "VARCHAR"}};
}

constexpr const char* kTextMap = "MAP(VARCHAR, VARCHAR)";

/// Of docs/reference/benchmark-records.md, "Schema 0.2": what a result is and when it was taken.
std::vector<ResultColumn> identity_columns() {
  return {{"id", "BLOB"},
          {"timestamp", "TIMESTAMPTZ"},
          {"schema_version", "VARCHAR"},
          {"status", "VARCHAR"},
          {"error_no", "TINYINT"},
          {"error_message", "VARCHAR"},
          {"workload", "VARCHAR"},
          {"workload_domain", "VARCHAR"},
          {"workload_name", "VARCHAR"},
          {"workload_sha", "VARCHAR"},
          {"inputs", "STRUCT(name VARCHAR, shape BIGINT[], dtype VARCHAR, layout VARCHAR)[]"},
          {"workload_args", "VARCHAR"},
          {"workload_metadata",
           "STRUCT(class VARCHAR, type VARCHAR, doc_url VARCHAR, url VARCHAR, md5 VARCHAR, "
           "opset BIGINT)"},
          {"engine", "VARCHAR"},
          {"engine_version", "VARCHAR"},
          {"engine_semver", "VARCHAR"},
          {"engine_sha", "VARCHAR"},
          {"target", "VARCHAR"},
          {"hardware", "VARCHAR"},
          {"hw_model", "VARCHAR"},
          {"scope", "VARCHAR"},
          {"run_id", "VARCHAR"},
          {"model", "VARCHAR"},
          {"nodes", "VARCHAR[]"},
          {"count", "BIGINT"},
          {"reproducer", "VARCHAR"},
          {"seed", "BIGINT"},
          {"argv", "VARCHAR[]"},
          {"labels", kTextMap},
          {"source_form", "VARCHAR"}};
}

/// How long it took, and how well that is known.
std::vector<ResultColumn> time_columns() {
  return {{"runtime_ms_mean", "DOUBLE"},
          {"runtime_ms_std", "DOUBLE"},
          {"std_ddof", "TINYINT"},
          {"n_samples", "BIGINT"},
          {"runtime_raw_ms", "DOUBLE[]"},
          {"runtime_raw", "VARCHAR"},
          {"runtime_ms_median", "DOUBLE"},
          {"runtime_ms_low", "DOUBLE"},
          {"runtime_ms_high", "DOUBLE"},
          {"runtime_ms_min", "DOUBLE"},
          {"runtime_ms_in_place", "DOUBLE"},
          {"metrics", "MAP(VARCHAR, DOUBLE)"},
          {"samples_dropped", "MAP(VARCHAR, BIGINT)"},
          {"stop_reason", "VARCHAR"},
          {"steady", "BOOLEAN"},
          {"cache", "VARCHAR"},
          {"processes", "BIGINT"},
          {"execution_config",
           "STRUCT(number BIGINT, repeat BIGINT, min_repeat_ms DOUBLE, warmup DOUBLE, "
           "cooldown_ms DOUBLE, cache_flush BOOLEAN, trimmed BOOLEAN, timer VARCHAR)"},
          {"check", "STRUCT(engine VARCHAR, max_relative_error DOUBLE, passed BOOLEAN)"}};
}

/// Where it ran, as JSON, and the fields of that which are often asked for.
std::vector<ResultColumn> environment_columns() {
  return {{"engine_config", "VARCHAR"},
          {"compilation_config", "VARCHAR"},
          {"opt_level", "BIGINT"},
          {"software_config", "VARCHAR"},
          {"os", "VARCHAR"},
          {"pip", kTextMap},
          {"runtime_config", "VARCHAR"},
          {"num_cpu_threads", "BIGINT"},
          {"hardware_config", "VARCHAR"},
          {"cpu_count", "BIGINT"},
          {"memory_gb", "DOUBLE"},
          {"gpu_name", "VARCHAR"},
          {"gpu_count", "BIGINT"},
          {"metadata", "VARCHAR"},
          {"docker_tag", "VARCHAR"},
          {"docker_hash", "VARCHAR"},
          {"machine_hash", "VARCHAR"},
          {"software_hash", "VARCHAR"},
          {"record", "VARCHAR"}};
}

/// What was told without a run. No column has the name of a measured time, so that no query takes
/// one for the other.
std::vector<ResultColumn> prediction_only_columns() {
  return {{"predictor", "VARCHAR"},           {"predicted_ms_median", "DOUBLE"},
          {"predicted_ms_low", "DOUBLE"},     {"predicted_ms_high", "DOUBLE"},
          {"interval_percent", "DOUBLE"},     {"in_range", "BOOLEAN"},
          {"in_range_reason", "VARCHAR"},     {"is_lower_bound", "BOOLEAN"},
          {"predicted_ms_isolated", "DOUBLE"}};
}

std::vector<ResultColumn> prediction_columns() {
  std::vector<ResultColumn> columns = identity_columns();
  for (const auto& more : {prediction_only_columns(), environment_columns()}) {
    columns.insert(columns.end(), more.begin(), more.end());
  }
  return columns;
}

std::vector<ResultColumn> benchmark_columns() {
  std::vector<ResultColumn> columns = identity_columns();
  for (const auto& more : {time_columns(), environment_columns()}) {
    columns.insert(columns.end(), more.begin(), more.end());
  }
  return columns;
}

}  // namespace

const std::vector<ResultColumn>& part_columns(RecordKind kind) {
  static const std::vector<ResultColumn> kTrials = trial_columns();
  static const std::vector<ResultColumn> kBenchmarks = benchmark_columns();
  static const std::vector<ResultColumn> kSources = {
      {"id", "UUID"}, {"file", "VARCHAR"}, {"line", "BIGINT"}};
  static const std::vector<ResultColumn> kPredictions = prediction_columns();
  if (kind == RecordKind::kSource) return kSources;
  if (kind == RecordKind::kPrediction) return kPredictions;
  return kind == RecordKind::kTrial ? kTrials : kBenchmarks;
}

std::string no_values(RecordKind kind) {
  std::string text;
  for (const ResultColumn& column : part_columns(kind)) {
    if (!text.empty()) text += ", ";
    text += fmt::format("NULL::{} AS \"{}\"", column.type, column.name);
  }
  return text;
}

}  // namespace opbench
