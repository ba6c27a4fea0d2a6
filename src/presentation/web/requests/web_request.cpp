#include "presentation/web/requests/web_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/errors/suggestion.h"

namespace opbench {

std::string WebRequest::text(const std::string& name, const std::string& otherwise) const {
  const auto found = std::ranges::find_if(
      parameters_, [&](const auto& entry) { return entry.first == name && !entry.second.empty(); });
  return found == parameters_.end() ? otherwise : found->second;
}

std::vector<std::string> WebRequest::all(const std::string& name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : parameters_) {
    if (key == name && !value.empty()) values.push_back(value);
  }
  return values;
}

Result<std::string> WebRequest::needed(const std::string& name) const {
  std::string value = text(name);
  if (value.empty()) return invalid_input(fmt::format("the parameter \"{}\" is missing", name));
  return value;
}

Result<std::string> WebRequest::choice(const std::string& name,
                                       const std::vector<std::string>& choices,
                                       const std::string& otherwise) const {
  std::string value = text(name, otherwise);
  if (std::ranges::count(choices, value) == 0) return unknown_name(name, value, choices);
  return value;
}

Result<int64_t> WebRequest::whole(const std::string& name, int64_t low, int64_t high,
                                  int64_t otherwise) const {
  const std::string value = text(name);
  if (value.empty()) return otherwise;
  int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, fault] = std::from_chars(value.data(), end, number);
  if (fault != std::errc() || rest != end || number < low || number > high) {
    return invalid_input(fmt::format("\"{}\" is no value of {}", value, name))
        .with("valid", fmt::format("whole numbers from {} to {}", low, high));
  }
  return number;
}

Result<PageRange> WebRequest::page(int64_t most_rows) const {
  constexpr int64_t kFarthest = 1'000'000'000;
  PageRange range;
  OPBENCH_TRY(range.offset, whole("offset", 0, kFarthest, 0));
  OPBENCH_TRY(range.limit, whole("limit", 1, most_rows, std::min(most_rows, kUsualRows)));
  return range;
}

Result<bool> WebRequest::is_descending(bool otherwise) const {
  OPBENCH_TRY(const std::string order,
              choice("order", {"asc", "desc"}, otherwise ? "desc" : "asc"));
  return order == "desc";
}

std::string WebRequest::canonical_query() const {
  Parameters sorted;
  for (const auto& entry : parameters_) {
    if (!entry.second.empty()) sorted.push_back(entry);
  }
  std::ranges::sort(sorted);
  std::string query;
  for (const auto& [name, value] : sorted) {
    if (!query.empty()) query += '&';
    query += percent_encoded(name) + "=" + percent_encoded(value);
  }
  return query;
}

std::string percent_encoded(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()";
  std::string encoded;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

}  // namespace opbench
