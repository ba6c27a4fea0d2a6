#include "records/record/benchmark_record.h"

#include <nlohmann/json.hpp>

#include <utility>
#include <variant>

#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "records/json/json_member.h"
#include "records/record/benchmark_field_table.h"

namespace opbench {
namespace {

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
  for (const BenchmarkField& field : benchmark_fields()) names.emplace_back(field.name);
  return names;
}

Json to_json(const BenchmarkRecord& record) {
  Json json = Json::object();
  for (const BenchmarkField& field : benchmark_fields()) {
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
  for (const BenchmarkField& field : benchmark_fields()) {
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
