#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opbench {

/// Numbers in rows and columns, row after row.
struct DenseMatrix {
  size_t rows = 0;
  size_t columns = 0;
  std::vector<double> values;  ///< rows x columns

  DenseMatrix() = default;
  DenseMatrix(size_t row_count, size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count) {}

  double& at(size_t row, size_t column) { return values[row * columns + column]; }
  double at(size_t row, size_t column) const { return values[row * columns + column]; }
  std::span<const double> row(size_t row) const { return {values.data() + row * columns, columns}; }
};

/// The columns that `kept` names, in that order.
DenseMatrix columns_of(const DenseMatrix& matrix, std::span<const size_t> kept);

/// X[n,k] with A X = B for a symmetric positive definite A[n,n] and B[n,k], by Cholesky's
/// decomposition. A pivot that rounding made too small is raised to 1e-14 of the largest diagonal
/// element.
DenseMatrix solve_positive(DenseMatrix a, DenseMatrix b);

}  // namespace opbench
