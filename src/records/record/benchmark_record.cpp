#include "records/record/benchmark_record.h"

#include <nlohmann/json.hpp>

#include <utility>
#include <variant>

#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

using R = BenchmarkRecord;
template <class T>
using Optional = std::optional<T> R::*;

using Member =
    std::variant<std::string R::*, Optional<std::string>, Optional<int64_t>, Optional<double>,
                 Optional<bool>, Optional<std::vector<std::string>>, Optional<std::vector<double>>,
                 Optional<std::map<std::string, double>>, Optional<std::map<std::string, int64_t>>,
                 Optional<std::map<std::string, std::string>>, Optional<JsonText>>;

struct Field {
  const char* name;
  Member member;
};

const std::vector<Field>& fields() {
  static const std::vector<Field> kAll = {
      {"schema_version", &R::schema_version},
      {"record_id", &R::record_id},
      {"timestamp", &R::timestamp},
      {"status", &R::status},
      {"error_no", &R::error_no},
      {"error_message", &R::error_message},
      {"workload", &R::workload},
      {"inputs", &R::inputs},
      {"workload_args", &R::workload_args},
      {"workload_metadata", &R::workload_metadata},
      {"engine", &R::engine},
      {"engine_version", &R::engine_version},
      {"engine_config", &R::engine_config},
      {"compilation_config", &R::compilation_config},
      {"software_config", &R::software_config},
      {"runtime_config", &R::runtime_config},
      {"hardware_config", &R::hardware_config},
      {"metadata", &R::metadata},
      {"target", &R::target},
      {"hardware", &R::hardware},
      {"hw_model", &R::hw_model},
      {"execution_config", &R::execution_config},
      {"runtime_ms_mean", &R::runtime_ms_mean},
      {"runtime_ms_std", &R::runtime_ms_std},
      {"std_ddof", &R::std_ddof},
      {"n_samples", &R::n_samples},
      {"runtime_raw_ms", &R::runtime_raw_ms},
      {"runtime_raw", &R::runtime_raw},
      {"metrics", &R::metrics},
      {"scope", &R::scope},
      {"run_id", &R::run_id},
      {"model", &R::model},
      {"nodes", &R::nodes},
      {"count", &R::count},
      {"reproducer", &R::reproducer},
      {"seed", &R::seed},
      {"argv", &R::argv},
      {"labels", &R::labels},
      {"runtime_ms_median", &R::runtime_ms_median},
      {"runtime_ms_low", &R::runtime_ms_low},
      {"runtime_ms_high", &R::runtime_ms_high},
      {"runtime_ms_min", &R::runtime_ms_min},
      {"runtime_ms_in_place", &R::runtime_ms_in_place},
      {"samples_dropped", &R::samples_dropped},
      {"stop_reason", &R::stop_reason},
      {"steady", &R::steady},
      {"cache", &R::cache},
      {"processes", &R::processes},
      {"check", &R::check},
      {"machine_hash", &R::machine_hash},
      {"software_hash", &R::software_hash},
      {"source_form", &R::source_form},
      {"kind", &R::kind},
      {"prediction", &R::prediction},
  };
  return kAll;
}

void write_value(Json& out, const char* name, const std::string& value) {
  if (!value.empty()) out[name] = value;
}

void write_value(Json& out, const char* name, const std::optional<JsonText>& value) {
  if (value) out[name] = Json::parse(value->text);
}

template <class T>
void write_value(Json& out, const char* name, const std::optional<T>& value) {
  if (value) out[name] = *value;
}

/// Whether the JSON value is of the C++ type.
bool fits(const Json& value, const std::string*) { return value.is_string(); }
bool fits(const Json& value, const int64_t*) {
  return value.is_number_integer() && whole_number(value).has_value();
}
bool fits(const Json& value, const double*) { return value.is_number(); }
bool fits(const Json& value, const bool*) { return value.is_boolean(); }

template <class T>
bool fits(const Json& value, const std::vector<T>*) {
  if (!value.is_array()) return false;
  for (const Json& entry : value) {
    if (!fits(entry, static_cast<const T*>(nullptr))) return false;
  }
  return true;
}

template <class T>
bool fits(const Json& value, const std::map<std::string, T>*) {
  if (!value.is_object()) return false;
  for (const Json& entry : value) {
    if (!fits(entry, static_cast<const T*>(nullptr))) return false;
  }
  return true;
}

/// False when the type is wrong.
template <class T>
bool read_value(const Json& value, T& target) {
  if (!fits(value, static_cast<const T*>(nullptr))) return false;
  target = value.get<T>();
  return true;
}

bool read_value(const Json& value, JsonText& target) {
  target.text = canonical_text(value);
  return value.is_structured();
}

template <class T>
bool read_value(const Json& value, std::optional<T>& target) {
  return read_value(value, target.emplace());
}

}  // namespace

bool is_predicted(const BenchmarkRecord& record) { return record.kind == "predicted"; }

std::vector<std::string> record_fields() {
  std::vector<std::string> names;
  for (const Field& field : fields()) names.emplace_back(field.name);
  return names;
}

Json to_json(const BenchmarkRecord& record) {
  Json json = Json::object();
  for (const Field& field : fields()) {
    if (record.nulls.contains(field.name)) json[field.name] = nullptr;
    std::visit([&](auto member) { write_value(json, field.name, record.*member); }, field.member);
  }
  const Json extras = Json::parse(record.extras.text);
  for (const auto& [key, value] : extras.items()) json[key] = value;
  return json;
}

Result<BenchmarkRecord> record_from_json(const Json& json) {
  if (!json.is_object()) {
    return Error{ErrorCode::kInvalidInput, "a record is a JSON object, not " + json.dump()};
  }
  BenchmarkRecord record;
  record.schema_version.clear();
  record.source_form.clear();
  Json rest = json;
  for (const Field& field : fields()) {
    const auto value = json.find(field.name);
    if (value == json.end()) continue;
    rest.erase(field.name);
    if (value->is_null()) {
      record.nulls.insert(field.name);
      continue;
    }
    const bool is_read =
        std::visit([&](auto member) { return read_value(*value, record.*member); }, field.member);
    if (!is_read) {
      return Error{ErrorCode::kInvalidInput, std::string("field \"") + field.name +
                                                 "\" cannot hold " + value->dump().substr(0, 80)};
    }
  }
  record.extras.text = canonical_text(rest);
  return record;
}

std::string to_line(const BenchmarkRecord& record) { return json_text(to_json(record)) + "\n"; }

std::string record_id_of(const Json& record, int64_t occurrence) {
  Json content = record;
  content.erase("record_id");
  return sha256(canonical_text(content) + "\n" + std::to_string(occurrence));
}

void assign_record_ids(std::vector<BenchmarkRecord>& records) {
  std::map<std::string, int64_t> seen;
  for (BenchmarkRecord& record : records) {
    record.record_id.reset();
    const Json json = to_json(record);
    record.record_id = record_id_of(json, seen[canonical_text(json)]++);
  }
}

Result<std::vector<BenchmarkRecord>> parse_record_lines(std::string_view lines) {
  std::vector<BenchmarkRecord> records;
  int64_t number = 0;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string place = "line " + std::to_string(number);
    OPBENCH_TRY(const Json json, parse_json(line, place));
    auto record = record_from_json(json);
    if (!record) return std::move(record.error()).with("at", place);
    records.push_back(std::move(*record));
  }
  if (records.empty()) return Error{ErrorCode::kInvalidInput, "there are no records"};
  return records;
}

}  // namespace opbench
