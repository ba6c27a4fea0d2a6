#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace opbench {

/// Bytes as JSON: a text where they are UTF-8, else the list of their values. A path may hold any
/// bytes, JSON may not.
Json byte_text(std::string_view bytes);

/// The reverse; nothing for another value.
std::optional<std::string> bytes_of(const Json& json);

}  // namespace opbench
