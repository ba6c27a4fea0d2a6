#pragma once

#include <algorithm>

#include "base/tensors/tensor.h"

namespace opbench {

/// The tensor with each element of type From as one of type To, which `type` names.
template <class From, class To>
Tensor converted(const Tensor& tensor, DataType type) {
  Tensor result = Tensor::empty({type, tensor.type.shape});
  std::ranges::transform(tensor.as<From>(), result.as<To>().begin(),
                         [](From value) { return static_cast<To>(value); });
  return result;
}

}  // namespace opbench
