#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

#include "base/errors/error.h"

namespace opbench {

/// JSON that keeps the order in which its fields were added. Sources that look inside include
/// <nlohmann/json.hpp>; this header and error.h are the only two that show another library.
using Json = nlohmann::ordered_json;

/// The parsed text. `kInvalidInput` with the position if it is not JSON. `what` names it in errors.
Result<Json> parse_json(std::string_view text, std::string_view what);

/// Compact text with sorted keys: equal content, equal bytes.
std::string canonical_text(const Json& json);

}  // namespace opbench
