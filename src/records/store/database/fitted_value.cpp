#include "records/store/database/fitted_value.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/text/ascii.h"
#include "records/json/json_member.h"
#include "records/json/record_grammar.h"
#include "records/record/benchmark_times.h"

namespace opbench {
namespace {

/// `VARCHAR, DOUBLE` of `MAP(VARCHAR, DOUBLE)`; nothing for another type.
std::string_view inside(std::string_view type, std::string_view word) {
  if (!type.starts_with(word) || !type.ends_with(')')) return {};
  type.remove_prefix(word.size());
  type.remove_suffix(1);
  return type;
}

/// Cut at the commas that stand in no parentheses.
std::vector<std::string_view> cut_types(std::string_view types) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= types.size(); ++i) {
    const char c = i == types.size() ? ',' : types[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || depth > 0) continue;
    parts.push_back(trimmed(types.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

Json fitted_list(const Json& value, std::string_view item) {
  if (!value.is_array()) return nullptr;
  Json list = Json::array();
  for (const Json& entry : value) list.push_back(fitted_value(entry, item));
  return list;
}

Json fitted_map(const Json& value, std::string_view types) {
  if (!value.is_object()) return nullptr;
  Json map = Json::object();
  for (const auto& [key, entry] : value.items()) {
    map[key] = fitted_value(entry, cut_types(types).back());
  }
  return map;
}

Json fitted_struct(const Json& value, std::string_view members) {
  if (!value.is_object()) return nullptr;
  Json object = Json::object();
  for (const std::string_view part : cut_types(members)) {
    const size_t space = part.find(' ');
    const std::string name(part.substr(0, space));
    object[name] = fitted_value(member(value, name), part.substr(space + 1));
  }
  return object;
}

Json fitted_integer(const Json& value, int64_t low, int64_t high) {
  const auto whole = whole_number(value);
  return whole && *whole >= low && *whole <= high ? Json(*whole) : Json();
}

Json fitted_moment(const Json& value) {
  if (!value.is_string()) return nullptr;
  std::vector<RecordIssue> ignored;
  constexpr int64_t kAny = std::numeric_limits<int64_t>::max() / 2;
  const auto moment = parse_timestamp(value.get<std::string>(), kAny, ignored);
  return moment && *moment >= 0 ? Json(rfc3339_of_us(*moment)) : Json();
}

}  // namespace

Json fitted_value(const Json& value, std::string_view type) {
  constexpr std::string_view kList = "[]";
  if (value.is_null()) return nullptr;
  if (type.ends_with(kList)) return fitted_list(value, type.substr(0, type.size() - kList.size()));
  if (const auto types = inside(type, "MAP("); !types.empty()) return fitted_map(value, types);
  if (const auto members = inside(type, "STRUCT("); !members.empty()) {
    return fitted_struct(value, members);
  }
  if (type == "TINYINT") return fitted_integer(value, INT8_MIN, INT8_MAX);
  if (type == "BIGINT") return fitted_integer(value, INT64_MIN, INT64_MAX);
  if (type == "DOUBLE") return value.is_number() ? value : Json();
  if (type == "BOOLEAN") return value.is_boolean() ? value : Json();
  if (type == "TIMESTAMPTZ") return fitted_moment(value);
  return value.is_string() ? value : Json(canonical_text(value));
}

}  // namespace opbench
