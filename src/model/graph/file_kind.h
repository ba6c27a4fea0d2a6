#pragma once

#include <string>
#include <string_view>

namespace opbench {

/// What a file that is no ONNX model seems to be, by how it begins: `a gzip file; unpack it first`,
/// `a TensorFlow Lite model`, `text`. Empty when it is nothing known.
std::string file_kind(std::string_view bytes);

}  // namespace opbench
