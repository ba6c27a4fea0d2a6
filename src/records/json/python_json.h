#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/space/argument.h"

/// JSON to the byte as Python's json.dumps writes it (docs/reference/formats.md, "Text of a line"):
/// `, ` and `: `, ASCII only, numbers in Python's layout.
namespace opbench {

/// The shortest text that reads back as the same double: `1e-05`, `0.0001`, `1000000000.0`,
/// `1e+16`; `NaN`, `Infinity`.
void append_python_number(std::string& text, double value);

/// In quotes; what is not ASCII as `\uXXXX`, beyond the basic plane as two of them.
void append_python_string(std::string& text, std::string_view value);

/// A tensor is `["TENSOR", [extents], "type"]` with what follows the type; a symbol its name.
void append_python_argument(std::string& text, const Argument& argument);
std::string python_json(const Argument& argument);

}  // namespace opbench
