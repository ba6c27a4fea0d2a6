#pragma once

#include <string>
#include <string_view>

namespace opbench {

/// The text with U+FFFD in place of bytes that are not UTF-8, which neither JSON nor protobuf can
/// hold.
std::string to_utf8(std::string_view text);

}  // namespace opbench
