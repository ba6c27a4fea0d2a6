#include "prediction/interference/interference_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "base/json/json.h"
#include "base/json/json_members.h"

namespace opbench {
namespace {

Json interference_member(const Json& object, const std::string& key) {
  const auto member = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && member != object.end() ? *member : Json();
}

std::optional<double> finite_number(const Json& object, const char* key) {
  const Json value = interference_member(object, key);
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

FileRatio file_ratio(const Json& object, const std::string& key) {
  const Json json = interference_member(object, key);
  return {finite_number(json, "ratio"), finite_number(json, "low"), finite_number(json, "high")};
}

FileUnit file_unit(const Json& json) {
  FileUnit unit{.key = text_of_member(json, "unit"),
                .workload = text_of_member(json, "workload"),
                .alone_ms = number_of(json, "alone_ms"),
                .pressure = file_ratio(json, "pressure").ratio};
  for (const Json& one : list_of(json, "beside")) {
    unit.beside.push_back({text_of_member(one, "neighbour"), file_ratio(one, "slow_down_of_unit")});
  }
  return unit;
}

FileLevel file_level(const Json& json) {
  const Json is_probe = interference_member(json, "is_probe");
  return {.neighbour = text_of_member(json, "neighbour"),
          .bytes = number_of(json, "bytes"),
          .is_probe = is_probe.is_boolean() && is_probe.get<bool>(),
          .slow_down = file_ratio(json, "slow_down_of_probe")};
}

FileSide file_side(const Json& pair, const std::string& side) {
  const Json forecast = interference_member(interference_member(pair, "forecasts"), side);
  return {.unit = text_of_member(pair, side.c_str()),
          .measured = file_ratio(pair, "slow_down_of_" + side),
          .forecast = number_of(forecast, "curve")};
}

}  // namespace

Error unusable_interference(const std::string& what, const std::string& why,
                            const std::string& how) {
  return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" {}", what, why)}.with("to make one",
                                                                                   how);
}

Result<InterferenceFile> parse_interference(const std::string& text, const std::string& what,
                                            const std::string& how) {
  OPBENCH_TRY(const Json json, parse_json(text, what));
  if (text_of_member(json, "schema") != kInterferenceSchema) {
    return unusable_interference(what, "is no report of interference", how);
  }
  InterferenceFile file{.target = text_of_member(json, "target"),
                        .peak_gbytes_per_s = number_of(json, "peak_gbytes_per_s")};
  for (const Json& unit : list_of(json, "units")) file.units.push_back(file_unit(unit));
  for (const Json& level : list_of(json, "probe")) file.levels.push_back(file_level(level));
  // Of whatever type: each is a pair without slow-downs then, which readers count.
  for (const Json& pair : interference_member(json, "pairs")) {
    file.pairs.push_back({file_side(pair, "first"), file_side(pair, "second")});
  }
  return file;
}

}  // namespace opbench
