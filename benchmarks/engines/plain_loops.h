#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/tensors/tensor.h"

namespace opbench {

/// One call of ONNX Runtime on a model with two inputs of this shape and one output, in memory that
/// lies ready, with nothing around it; one thread. Throws what() ONNX Runtime says.
std::function<void()> onnxruntime_call(const std::string& library,
                                       const std::filesystem::path& model, const Shape& shape);

}  // namespace opbench
