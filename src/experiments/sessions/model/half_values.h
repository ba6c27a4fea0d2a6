#pragma once

#include "base/json/json.h"
#include "base/tensors/tensor.h"

namespace opbench {

/// Whether a tensor file of the engine protocol holds 16-bit floats.
bool is_half_file(const Json& file);

/// 16-bit floats as float32: our kernels compute in it what a model computes in 16 bits.
Tensor as_float32(const Tensor& half);

/// Float32 values rounded to 16-bit floats of `type`; others, and those for another type, as they
/// are.
Tensor as_half(Tensor tensor, DataType type);

}  // namespace opbench
