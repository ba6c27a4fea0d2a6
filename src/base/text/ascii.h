#pragma once

#include <string>
#include <string_view>

namespace opbench {

/// Without the blanks, tabs and line ends around it.
std::string_view trimmed(std::string_view text);

/// With its ASCII letters in lower case; other bytes stay.
std::string lower_case(std::string_view text);

}  // namespace opbench
