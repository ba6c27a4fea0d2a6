#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/argument.h"

namespace opbench {

/// C[rows, columns] = A[rows, depth] * B[columns, depth], `batch` times.
struct MatrixArguments {
  int64_t batch = 1;
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t depth = 1;
  std::vector<int64_t> first;  ///< extents of A as they stand
  std::string data_type;
};

/// Arguments of dense: data [M, K], weight [N, K] or packed [N/b, K, b], then bias and types,
/// which no space depends on. Weights of matmul may be [K, N].
Result<MatrixArguments> read_dense(const std::vector<Argument>& arguments);

/// Arguments of batch_matmul: A [b, M, K], B [b, N, K], out_shape, out_dtype, transpose_a,
/// transpose_b, the last four missing in older logs, where B is transposed.
Result<MatrixArguments> read_batch_matmul(const std::vector<Argument>& arguments);

/// Two operations for each of batch x rows x columns x depth.
double matrix_flops(const MatrixArguments& matrix);

}  // namespace opbench
