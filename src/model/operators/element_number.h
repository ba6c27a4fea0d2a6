#pragma once

#include <cstdint>
#include <optional>

#include "base/tensors/tensor.h"

namespace opbench {

/// The element type that ONNX numbers so (TensorProto.DataType); nothing for those that are not
/// computed on.
std::optional<DataType> type_of_number(int64_t number);

}  // namespace opbench
