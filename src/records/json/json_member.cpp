#include "records/json/json_member.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

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

std::optional<int64_t> whole_number(const Json& value) {
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr double kBeyond = 0x1p63;
  if (value.is_number_unsigned() && value.get<uint64_t>() > kMost) return {};
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number()) return {};
  const double number = value.get<double>();
  if (number != std::floor(number) || number < -kBeyond || number >= kBeyond) return {};
  return static_cast<int64_t>(number);
}

}  // namespace opbench
