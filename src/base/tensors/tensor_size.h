#pragma once

#include <string>

#include "base/tensors/tensor.h"

namespace opbench {

/// `kInvalidInput` for an extent below 0, or for more than 2^47 bytes, which no process can
/// address. For types that pass, no product of extents overflows.
Result<void> check_size(const TensorType& type);

/// `9.3 GiB`, `512 B`: in the largest unit of which there is one.
std::string size_text(double bytes);

}  // namespace opbench
