#include "base/numbers/date.h"

#include <chrono>
#include <string>

#include "base/numbers/number.h"

namespace opbench {

std::optional<int> day_of_date(std::string_view text) {
  constexpr size_t kDateLength = 10;
  if (text.size() < kDateLength || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = parse_integer(std::string(text.substr(0, 4)));
  const auto month = parse_integer(std::string(text.substr(5, 2)));
  const auto day = parse_integer(std::string(text.substr(8, 2)));
  if (!year || !month || !day || *year < 0 || *month < 0 || *day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return static_cast<int>(std::chrono::sys_days(date).time_since_epoch().count());
}

}  // namespace opbench
