#pragma once

#include <string>

namespace opbench::test {

/// The bytes of a model in ONNX's text form, where `_` is an omitted input of a node. Ends the
/// program with the parser's message where the text is wrong.
std::string onnx_of_text(const std::string& text);

}  // namespace opbench::test
