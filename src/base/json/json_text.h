#pragma once

#include <string>

#include "base/json/json.h"

namespace opbench {

/// The JSON as text, on one line or indented by `indent` spaces. Bytes of names and values that are
/// not UTF-8, as a file name may have them, become U+FFFD.
std::string json_text(const Json& json, int indent = -1);

}  // namespace opbench
