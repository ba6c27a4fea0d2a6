#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace opbench {

/// `1 night`, `2 nights`; `many` where an s does not make the plural: `1 pass`, `2 passes`.
std::string counted(int64_t count, std::string_view one, std::string_view many = "");

}  // namespace opbench
