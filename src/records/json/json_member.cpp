#include "records/json/json_member.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace opbench {

Json member(const Json& object, const std::string& key) {
  const auto value = object.find(key);
  return value == object.end() ? Json() : *value;
}

std::optional<std::string> text_member(const Json& object, const std::string& key) {
  const auto value = object.find(key);
  if (value == object.end() || !value->is_string()) return {};
  auto text = value->get<std::string>();
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<double> number_member(const Json& object, const std::string& key) {
  const auto value = object.find(key);
  if (value == object.end() || !value->is_number()) return {};
  const double number = value->get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace opbench
