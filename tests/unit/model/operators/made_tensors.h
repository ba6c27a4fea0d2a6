#pragma once

#include <span>
#include <vector>

#include "model/operators/operator.h"

namespace opbench {

template <class T>
Tensor tensor_of(DataType type, const Shape& shape, const std::vector<T>& values) {
  return Tensor::of<T>(type, shape, std::span<const T>(values));
}

inline Tensor float_tensor(const Shape& shape, const std::vector<float>& values) {
  return tensor_of(DataType::kFloat32, shape, values);
}

/// Stands for an optional operand that is left out.
inline Tensor omitted() { return {{DataType::kUndefined, {}}, {}}; }

}  // namespace opbench
