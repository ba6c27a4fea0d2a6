#include "machine/target/target_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

#include "base/json/json.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

/// Whole numbers are numbers in TVM's JSON, except where the field is a name.
Json json_value(const std::string& key, const std::string& value) {
  static const std::vector<std::string> names = {"mcpu", "model", "device", "mtriple",
                                                 "arch", "tag",   "mabi",   "halide-features"};
  if (std::ranges::find(names, key) != names.end()) return value;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = error == std::errc() && end == value.data() + value.size();
  if (whole && std::to_string(number) == value) return number;
  return value;
}

Json to_json(const Target& target) {
  Json json;
  json["kind"] = target.kind;
  for (const auto& [key, value] : target.attributes) {
    const auto host = key == "host" ? parse_target(value) : Result<Target>(Error{});
    json[key] = host ? to_json(*host) : json_value(key, value);
  }
  if (!target.keys.empty()) json["keys"] = target.keys;
  if (!target.libs.empty()) json["libs"] = target.libs;
  if (!target.mattr.empty()) json["mattr"] = target.mattr;
  return json;
}

}  // namespace

std::string canonical_text(const Target& target) { return canonical_text(to_json(target)); }

}  // namespace opbench
