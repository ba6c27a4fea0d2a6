#pragma once

#include <string_view>

namespace opbench {

/// True if the bytes are UTF-8 (RFC 3629), as ONNX's names must be.
bool is_utf8(std::string_view text);

}  // namespace opbench
