#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/operators/products/batched_product.h"

namespace opbench {

/// Which lines of a matrix have a scale and a zero point of their own, where there are several.
enum class QuantizedLines { kRows, kColumns };

/// Strides that read operand `index`, scales or zero points, as a tensor of shape `matrix`: 0 along
/// a line. They may be one element, one for every line, or [batch…, m, 1] (rows) and [batch…, 1, n]
/// (columns). `kInvalidInput` for other shapes.
Result<Integers> parameter_strides(const OperatorCall& call, size_t index, const Shape& matrix,
                                   QuantizedLines lines);

/// Elements of `x` read through `strides` as a tensor of `shape`.
template <class T>
std::vector<T> repeated(std::span<const T> x, const Integers& strides, const Shape& shape) {
  std::vector<T> result(static_cast<size_t>(element_count(shape)));
  for_each_row<1>(shape, {strides}, [&](int64_t first, auto at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      result[static_cast<size_t>(first + i)] =
          x[static_cast<size_t>(at[0] + i * last_stride(strides))];
    }
  });
  return result;
}

/// Where a matrix of 8-bit integers is among the operands of a call.
struct QuantizedOperand {
  size_t index = 0;
  size_t zero_point = 0;
  QuantizedLines lines = QuantizedLines::kRows;
};

/// `kInvalidInput` unless the matrix is of 8-bit integers and its zero points fit.
Result<void> check_quantized(const OperatorCall& call, const QuantizedOperand& operand);

/// The matrix less its zero points.
Result<std::vector<int32_t>> centred_matrix(const OperatorCall& call,
                                            std::span<const TensorView> inputs,
                                            const QuantizedOperand& operand);

/// c[m, n] = sum over k of a[m, k] * b[k, n], exact.
std::vector<int64_t> integer_product(const int32_t* a, const int32_t* b, const BatchedProduct& p);

}  // namespace opbench
