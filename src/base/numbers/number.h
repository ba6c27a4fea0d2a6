#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opbench {

/// The integer that the whole text is, in decimal digits with an optional minus; nothing for other
/// text or beyond 64 bits.
std::optional<int64_t> parse_integer(std::string_view text);

/// A finite number; nothing if the text is anything else.
std::optional<double> parse_number(std::string_view text);

}  // namespace opbench
