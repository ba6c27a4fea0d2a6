#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include "experiments/compare/prepared_variant.h"

namespace opbench {
namespace {

// Each type has one list of its fields, for writing and for reading.
template <class Value, class Visit>
void visit_fields(Value& side, const Visit& visit) requires
    std::is_same_v<std::remove_const_t<Value>, PreparedVariant> {
  visit("engine", side.info.engine);
  visit("version", side.info.version);
  visit("versions", side.info.versions);
  visit("threads", side.info.threads);
  visit("cpus", side.info.cpus);
  visit("batch_size", side.info.batch_size);
  visit("call_floor_ms", side.info.call_floor_ms);
  visit("device", side.info.device);
  visit("emulator", side.info.emulator);
  visit("check_engine", side.info.check.engine);
  visit("check_error", side.info.check.max_relative_error);
  visit("check_passed", side.info.check.passed);
  visit("check_reason", side.info.check.reason);
  visit("model", side.model);
  visit("source", side.source);
  visit("sha256", side.sha256);
  visit("target", side.target);
  visit("cache", side.cache);
  visit("inputs", side.inputs);
  visit("outputs", side.outputs);
  visit("argv", side.command.argv);
  visit("variables", side.command.environment);
  visit("log", side.command.log);
  visit("preparations", side.preparations);
  visit("units", side.units);
  visit("runs_models", side.runs_models);
  visit("has_model", side.has_model);
  visit("model_reason", side.model_reason);
  visit("model_bytes", side.model_bytes);
  visit("warnings", side.warnings);
}

template <class Value, class Visit>
void visit_fields(Value& value, const Visit& visit) requires
    std::is_same_v<std::remove_const_t<Value>, VariantValue> {
  visit("name", value.name);
  visit("data_type", value.data_type);
  visit("shape", value.shape);
}

template <class Value, class Visit>
void visit_fields(Value& preparation, const Visit& visit) requires
    std::is_same_v<std::remove_const_t<Value>, Preparation> {
  visit("name", preparation.name);
  visit("params", preparation.params);
}

template <class Value, class Visit>
void visit_fields(Value& unit, const Visit& visit) requires
    std::is_same_v<std::remove_const_t<Value>, VariantUnit> {
  visit("operator", unit.identity.operator_text);
  if constexpr (std::is_const_v<Value>) {
    visit("workload", workload_text(unit.identity));
    visit("shapes", short_shapes(unit.identity));
  } else {
    visit("workload", unit.identity.texts.workload);
    visit("shapes", unit.identity.texts.shapes);
  }
  visit("nodes", unit.identity.nodes);
  visit("count", unit.count);
  visit("expected_s", unit.expected_s);
  visit("preparation", unit.preparation);
  visit("unit_id", unit.unit_id);
  visit("failure", unit.failure);
  visit("remark", unit.remark);
}

template <class T>
concept HasFields = std::is_same_v<T, PreparedVariant> || std::is_same_v<T, VariantValue> ||
    std::is_same_v<T, Preparation> || std::is_same_v<T, VariantUnit>;

template <class T>
Json to_json(const T& value) {
  return value;
}

Json to_json(const Failure& failure) {
  return {{"kind", name_of(failure.kind)}, {"text", failure.text}};
}

template <HasFields T>
Json to_json(const T& value);

template <class T>
Json to_json(const std::optional<T>& value) {
  return value ? to_json(*value) : Json();
}

template <HasFields T>
Json to_json(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(to_json(value));
  return list;
}

template <HasFields T>
Json to_json(const T& value) {
  Json json;
  visit_fields(value, [&](const char* key, const auto& field) { json[key] = to_json(field); });
  return json;
}

// Reading throws nlohmann's exceptions; side_from_json catches them.
template <class T>
void from_json(const Json& json, T& value) {
  value = json.get<T>();
}

void from_json(const Json& json, Failure& failure) {
  failure = {parse_failure_kind(json.at("kind").get<std::string>()), json.at("text")};
}

template <HasFields T>
void from_json(const Json& json, T& value);

template <class T>
void from_json(const Json& json, std::optional<T>& value) {
  if (json.is_null()) return;
  from_json(json, value.emplace());
}

template <HasFields T>
void from_json(const Json& json, std::vector<T>& values) {
  for (const Json& item : json) from_json(item, values.emplace_back());
}

template <HasFields T>
void from_json(const Json& json, T& value) {
  // Builds from before these leave them out.
  constexpr std::array kNew = {std::string_view("remark"), std::string_view("device"),
                               std::string_view("emulator")};
  visit_fields(value, [&](const char* key, auto& field) {
    const bool is_new = std::ranges::count(kNew, std::string_view(key)) > 0;
    if (!is_new || json.contains(key)) from_json(json.at(key), field);
  });
}

}  // namespace

Json side_json(const PreparedVariant& side) { return to_json(side); }

Result<PreparedVariant> side_from_json(const Json& json) {
  PreparedVariant side;
  try {
    from_json(json, side);
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorCode::kInvalidInput, "a variant of a comparison cannot be read"}.with(
        "reason", error.what());
  }
  for (VariantUnit& unit : side.units) parse_workload_of(unit.identity);
  side.command.cpus = side.info.cpus;
  return side;
}

}  // namespace opbench
