#pragma once

#include <cstdint>

namespace opbench {

/// A float matrix in memory: element (i, j) is at `data[i * row_stride + j * column_stride]`.
struct MatrixView {
  const float* data = nullptr;
  int64_t row_stride = 0;
  int64_t column_stride = 1;
};

/// c[m, n] = sum over k of a[m, k] * b[k, n], rows of `c` `c_stride` apart. Sums run in float over
/// 64 products and in double beyond, so that the error stays below 1e-6 of the sum of magnitudes.
void matrix_product(MatrixView a, MatrixView b, float* c, int64_t c_stride, int64_t m, int64_t n,
                    int64_t k);

}  // namespace opbench
