#pragma once

#include <string>
#include <string_view>

namespace opbench {

/// SHA-256 of `bytes`, as 64 lower-case hex digits.
std::string sha256(std::string_view bytes);

}  // namespace opbench
