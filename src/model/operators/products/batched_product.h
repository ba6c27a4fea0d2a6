#pragma once

#include <cstdint>

#include "model/operators/axes/strided.h"
#include "model/operators/operand.h"

namespace opbench {

/// numpy's matmul: A[batch…, m, k] * B[batch…, k, n]; vectors gain an extent of 1 that the result
/// loses again.
struct BatchedProduct {
  Shape batch;         ///< of the result
  Integers a_strides;  ///< matrices of A and of B from one of the result to the next
  Integers b_strides;
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  Shape shape;  ///< of the result
};

/// The product of operands `a` and `b`. `kInvalidInput` for scalars and for shapes that do not go
/// together.
Result<BatchedProduct> batched_product(const OperatorCall& call, size_t a, size_t b);

/// 2 for every multiply-add.
double product_flops(const BatchedProduct& product);

/// Calls `f(matrix of A, matrix of B, matrix of the result)` for every matrix of the result.
template <class F>
void for_each_matrix(const BatchedProduct& p, F&& f) {
  for_each_row<2>(p.batch, {p.a_strides, p.b_strides}, [&](int64_t first, auto at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      f(at[0] + i * last_stride(p.a_strides), at[1] + i * last_stride(p.b_strides), first + i);
    }
  });
}

}  // namespace opbench
