#include "base/numbers/number.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace opbench {

std::optional<int64_t> parse_integer(std::string_view text) {
  int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return {};
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || !std::isfinite(value)) return {};
  return value;
}

}  // namespace opbench
