#include "records/store/rows/benchmark_row.h"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

#include "records/json/record_grammar.h"

namespace opbench {
namespace {

/// The value at a path of objects; null where there is none.
Json benchmark_row_at(const Json& json, std::initializer_list<const char*> path) {
  const Json* value = &json;
  for (const char* const name : path) {
    if (!value->is_object() || !value->contains(name)) return nullptr;
    value = &(*value)[name];
  }
  return *value;
}

Json text_or_null(const Json& value) { return value.is_string() ? value : Json(); }
Json benchmark_row_number_or_null(const Json& value) { return value.is_number() ? value : Json(); }

/// An object of texts; values of other types as JSON.
Json texts(const Json& object) {
  if (!object.is_object()) return nullptr;
  Json result = Json::object();
  for (const auto& [name, value] : object.items()) {
    result[name] = value.is_string() ? value.get<std::string>() : canonical_text(value);
  }
  return result;
}

Json benchmark_row_inputs_of(const Json& inputs) {
  if (!inputs.is_array()) return nullptr;
  Json result = Json::array();
  for (const Json& input : inputs) {
    Json shape = benchmark_row_at(input, {"shape"});
    result.push_back({{"name", text_or_null(benchmark_row_at(input, {"name"}))},
                      {"shape", shape.is_array() ? shape : Json()},
                      {"dtype", text_or_null(benchmark_row_at(input, {"dtype"}))},
                      {"layout", text_or_null(benchmark_row_at(input, {"layout"}))}});
  }
  return result;
}

/// The known fields of an object, and null for it if it is none.
Json part_of(const Json& object, std::initializer_list<const char*> names) {
  if (!object.is_object()) return nullptr;
  Json result;
  for (const char* const name : names) result[name] = benchmark_row_at(object, {name});
  return result;
}

void add_names(Json& row, const BenchmarkRecord& record) {
  std::vector<RecordIssue> ignored;
  const WorkloadName name = parse_workload_name(record.workload, ignored);
  row["workload_domain"] = name.domain;
  row["workload_name"] = name.name;
  row["workload_sha"] = name.sha.empty() ? Json() : Json(name.sha);
  const EngineVersion version = parse_engine_version(record.engine_version.value_or(""), ignored);
  row["engine_semver"] = version.semver.empty() ? Json() : Json(version.semver);
  row["engine_sha"] = version.sha.empty() ? Json() : Json(version.sha);
}

/// Fields of the objects that have columns of their own.
void add_promoted(Json& row, const Json& json) {
  row["opt_level"] =
      benchmark_row_number_or_null(benchmark_row_at(json, {"compilation_config", "opt_level"}));
  row["num_cpu_threads"] =
      benchmark_row_number_or_null(benchmark_row_at(json, {"runtime_config", "num_cpu_threads"}));
  row["os"] = text_or_null(benchmark_row_at(json, {"software_config", "os"}));
  row["pip"] = texts(benchmark_row_at(json, {"software_config", "pip"}));
  row["cpu_count"] =
      benchmark_row_number_or_null(benchmark_row_at(json, {"hardware_config", "cpu_count"}));
  row["memory_gb"] =
      benchmark_row_number_or_null(benchmark_row_at(json, {"hardware_config", "memory_GB"}));
  row["gpu_name"] = text_or_null(benchmark_row_at(json, {"hardware_config", "gpu_name"}));
  row["gpu_count"] =
      benchmark_row_number_or_null(benchmark_row_at(json, {"hardware_config", "gpu_count"}));
  row["docker_tag"] = text_or_null(benchmark_row_at(json, {"metadata", "docker_tag"}));
  row["docker_hash"] = text_or_null(benchmark_row_at(json, {"metadata", "docker_hash"}));
}

constexpr std::array<const char*, 33> kCopied = {"timestamp",
                                                 "schema_version",
                                                 "status",
                                                 "error_no",
                                                 "error_message",
                                                 "workload",
                                                 "engine",
                                                 "engine_version",
                                                 "target",
                                                 "hardware",
                                                 "hw_model",
                                                 "runtime_ms_mean",
                                                 "runtime_ms_std",
                                                 "std_ddof",
                                                 "n_samples",
                                                 "runtime_raw_ms",
                                                 "metrics",
                                                 "scope",
                                                 "run_id",
                                                 "model",
                                                 "nodes",
                                                 "count",
                                                 "reproducer",
                                                 "seed",
                                                 "argv",
                                                 "labels",
                                                 "runtime_ms_low",
                                                 "runtime_ms_median",
                                                 "runtime_ms_high",
                                                 "runtime_ms_min",
                                                 "steady",
                                                 "runtime_ms_in_place",
                                                 "stop_reason"};
constexpr std::array<const char*, 6> kAlsoCopied = {
    "samples_dropped", "cache", "processes", "machine_hash", "software_hash", "source_form"};
constexpr std::array<const char*, 8> kAsText = {
    "workload_args",  "engine_config",   "compilation_config", "software_config",
    "runtime_config", "hardware_config", "metadata",           "runtime_raw"};

/// Each column, and the member of `prediction` that it holds.
constexpr std::array<std::pair<const char*, const char*>, 9> kPredicted = {
    {{"predictor", "predictor"},
     {"predicted_ms_median", "median_ms"},
     {"predicted_ms_low", "low_ms"},
     {"predicted_ms_high", "high_ms"},
     {"interval_percent", "interval_percent"},
     {"in_range", "in_range"},
     {"in_range_reason", "in_range_reason"},
     {"is_lower_bound", "is_lower_bound"},
     {"predicted_ms_isolated", "isolated_ms"}}};

}  // namespace

Json benchmark_row(const BenchmarkRecord& record) {
  Json json = to_json(record);
  Json row;
  row["record_id"] = record.record_id.value_or("");
  for (const char* const name : kCopied) row[name] = benchmark_row_at(json, {name});
  for (const char* const name : kAlsoCopied) row[name] = benchmark_row_at(json, {name});
  for (const char* const name : kAsText) {
    const Json value = benchmark_row_at(json, {name});
    row[name] = value.is_null() ? Json() : Json(canonical_text(value));
  }
  add_names(row, record);
  add_promoted(row, json);
  row["inputs"] = benchmark_row_inputs_of(benchmark_row_at(json, {"inputs"}));
  row["workload_metadata"] = part_of(benchmark_row_at(json, {"workload_metadata"}),
                                     {"class", "type", "doc_url", "url", "md5", "opset"});
  row["execution_config"] = part_of(benchmark_row_at(json, {"execution_config"}),
                                    {"number", "repeat", "min_repeat_ms", "warmup", "cooldown_ms",
                                     "cache_flush", "trimmed", "timer"});
  row["check"] =
      part_of(benchmark_row_at(json, {"check"}), {"engine", "max_relative_error", "passed"});
  for (const auto& [column, name] : kPredicted)
    row[column] = benchmark_row_at(json, {"prediction", name});
  row["record"] = canonical_text(json);
  return row;
}

}  // namespace opbench
