#pragma once
#include <optional>
#include <string_view>

namespace opbench {

/// Days since 1970-01-01 of a text that begins with a date, YYYY-MM-DD; nothing where it does not,
/// or where the calendar has no such day.
std::optional<int> day_of_date(std::string_view text);

}  // namespace opbench
