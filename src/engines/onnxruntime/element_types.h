#pragma once

#include "base/tensors/tensor.h"

namespace opbench::ort {

/// The number that ONNX and ONNX Runtime give an element type whose values can be passed; 0 for
/// others.
int number_of(DataType type);

/// The type of that number, text included; kUndefined for numbers that are not known here.
DataType data_type_of(int number);

}  // namespace opbench::ort
