#pragma once

#include <string>
#include <string_view>

#include "base/tensors/tensor.h"

namespace opbench {

/// True if the text of `--input NAME=TEXT` names a file: it ends in .npy or .pb.
bool names_tensor_file(std::string_view text);

/// True for a number, `inf`, `-inf`, `nan`, `true` or `false`.
bool is_literal(std::string_view text);

/// A literal as the only element of a tensor. `kInvalidInput` quoting the literal when the type has
/// another count of elements, or no such value: a fraction for an integer, 300 for a uint8,
/// anything but true, false, 0 and 1 for a bool.
Result<Tensor> literal_tensor(const std::string& text, const TensorType& type,
                              const std::string& input);

}  // namespace opbench
