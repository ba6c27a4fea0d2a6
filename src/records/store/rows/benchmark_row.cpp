#include "records/store/rows/benchmark_row.h"

#include <nlohmann/json.hpp>

#include <string_view>

#include "records/json/json_member.h"
#include "records/json/record_grammar.h"
#include "records/record/benchmark_field_table.h"

namespace opbench {
namespace {

/// Null where it is not there, or where this is no object.
Json benchmark_row_at(const Json& object, const char* name) {
  return object.is_object() ? member(object, name) : Json();
}

Json text_or_null(const Json& value) { return value.is_string() ? value : Json(); }

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
    Json shape = benchmark_row_at(input, "shape");
    result.push_back({{"name", text_or_null(benchmark_row_at(input, "name"))},
                      {"shape", shape.is_array() ? shape : Json()},
                      {"dtype", text_or_null(benchmark_row_at(input, "dtype"))},
                      {"layout", text_or_null(benchmark_row_at(input, "layout"))}});
  }
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

/// The value of a column that is a member of a field's object.
Json part_value(const PartColumn& part, const Json& object) {
  Json value = benchmark_row_at(object, part.member);
  if (part.type == std::string_view("VARCHAR")) return text_or_null(value);
  return part.type == std::string_view("MAP(VARCHAR, VARCHAR)") ? texts(value) : value;
}

}  // namespace

Json benchmark_row(const BenchmarkRecord& record) {
  const Json json = to_json(record);
  Json row;
  row["record_id"] = record.record_id.value_or("");
  add_names(row, record);
  for (const BenchmarkField& field : benchmark_fields()) {
    if (field.group == ColumnGroup::kNoColumn) continue;
    const Json value = benchmark_row_at(json, field.name);
    if (field.has_own_column) row[field.name] = value;
    for (const PartColumn& part : field.parts) {
      if (part.member != nullptr) row[part.name] = part_value(part, value);
    }
  }
  row["inputs"] = benchmark_row_inputs_of(row["inputs"]);
  row["record"] = canonical_text(json);
  return row;
}

}  // namespace opbench
