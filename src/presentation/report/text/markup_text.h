#pragma once

#include <string>
#include <string_view>

namespace opbench {

/// The text as HTML and XML may hold it, between tags and in attributes in double quotes: `&`, `<`,
/// `>` and `"` as entities; bytes that are not UTF-8 and control characters as `?`.
std::string escaped(std::string_view text);

}  // namespace opbench
