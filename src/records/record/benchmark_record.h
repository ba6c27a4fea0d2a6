#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"

namespace opbench {

/// A part of a record that is kept as it is: compact JSON with sorted keys.
struct JsonText {
  std::string text = "{}";
  bool operator==(const JsonText&) const = default;
};

/// One result with all that is needed to repeat it: benchmark schema 0.2
/// (docs/reference/benchmark-records.md, "Schema 0.2"). Members are named and ordered as the fields
/// of a line. Times in milliseconds a call.
struct BenchmarkRecord {
  std::string schema_version = "0.2";
  std::optional<std::string> record_id;
  std::string timestamp;  ///< RFC 3339, UTC
  std::string status;     ///< ok or error; an error has no times
  std::optional<int64_t> error_no;
  std::optional<std::string> error_message;
  std::string workload;
  std::optional<JsonText> inputs;  ///< [{name, shape, dtype?, layout?}]
  std::optional<JsonText> workload_args, workload_metadata;
  std::string engine;
  std::optional<std::string> engine_version;
  std::optional<JsonText> engine_config, compilation_config, software_config, runtime_config;
  std::optional<JsonText> hardware_config, metadata;
  std::optional<std::string> target;
  std::string hardware;
  std::optional<std::string> hw_model;
  std::optional<JsonText> execution_config;
  std::optional<double> runtime_ms_mean, runtime_ms_std;
  std::optional<int64_t> std_ddof, n_samples;
  std::optional<std::vector<double>> runtime_raw_ms;  ///< those the time was estimated from
  std::optional<JsonText>
      runtime_raw;  ///< all samples, flagged ones too: [{runtime_ms, process …}]
  std::optional<std::map<std::string, double>> metrics;
  std::string scope;  ///< unit or model
  std::optional<std::string> run_id, model;
  std::optional<std::vector<std::string>> nodes;
  std::optional<int64_t> count;
  std::optional<std::string> reproducer;
  std::optional<int64_t> seed;
  std::optional<std::vector<std::string>> argv;
  std::optional<std::map<std::string, std::string>> labels;
  std::optional<double> runtime_ms_median, runtime_ms_low, runtime_ms_high, runtime_ms_min;
  std::optional<double> runtime_ms_in_place;
  std::optional<std::map<std::string, int64_t>> samples_dropped;
  std::optional<std::string> stop_reason;
  std::optional<bool> steady;
  std::optional<std::string> cache;
  std::optional<int64_t> processes;
  std::optional<JsonText> check;  ///< {engine, max_relative_error, passed}
  std::optional<std::string> machine_hash, software_hash;
  std::string source_form = "0.2";
  std::optional<std::string> kind;  ///< measured (or absent), predicted: then there is no runtime_…
  std::optional<JsonText> prediction;  ///< {predictor, median_ms, low_ms, …}
  JsonText extras;                     ///< keys that the schema does not have, with their values
  std::set<std::string> nulls;         ///< fields that are there and null
  bool operator==(const BenchmarkRecord&) const = default;
};

/// Whether its time was predicted: it is no measurement, and nothing that reads times may take it
/// for one.
bool is_predicted(const BenchmarkRecord& record);

/// The names of all fields of the schema, in order.
std::vector<std::string> record_fields();

Json to_json(const BenchmarkRecord& record);

/// The reverse; keeps unknown fields. `kInvalidInput` with the field and its value when a type is
/// wrong. Nothing else is checked: see validate_record.
Result<BenchmarkRecord> record_from_json(const Json& json);

/// One line with a newline at its end.
std::string to_line(const BenchmarkRecord& record);

/// 64 hex digits: SHA-256 of the record as sorted compact JSON without record_id, a line break and
/// `occurrence`, the number of identical records before it in one file.
std::string record_id_of(const Json& record, int64_t occurrence);

/// Gives every record its id, as the lines of one file.
void assign_record_ids(std::vector<BenchmarkRecord>& records);

/// The records of a file of lines; empty lines are skipped. `kInvalidInput` with the number of the
/// line when one cannot be read, or when there is none.
Result<std::vector<BenchmarkRecord>> parse_record_lines(std::string_view lines);

}  // namespace opbench
