#include "prediction/few_shot/dense_matrix.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace opbench {
namespace {

/// Turns the lower half of `a` into L with L L' = A.
void decompose(DenseMatrix& a) {
  double largest = 0;
  for (size_t i = 0; i < a.rows; ++i) largest = std::max(largest, a.at(i, i));
  const double least = std::max(largest * 1e-14, 1e-300);
  for (size_t j = 0; j < a.rows; ++j) {
    for (size_t i = j; i < a.rows; ++i) {
      double sum = a.at(i, j);
      for (size_t k = 0; k < j; ++k) sum -= a.at(i, k) * a.at(j, k);
      a.at(i, j) = i == j ? std::sqrt(std::max(sum, least)) : sum / a.at(j, j);
    }
  }
}

}  // namespace

DenseMatrix columns_of(const DenseMatrix& matrix, std::span<const size_t> kept) {
  DenseMatrix result(matrix.rows, kept.size());
  for (size_t row = 0; row < matrix.rows; ++row) {
    for (size_t i = 0; i < kept.size(); ++i) result.at(row, i) = matrix.at(row, kept[i]);
  }
  return result;
}

DenseMatrix solve_positive(DenseMatrix a, DenseMatrix b) {
  assert(a.rows == a.columns && a.rows == b.rows);
  decompose(a);
  for (size_t column = 0; column < b.columns; ++column) {
    for (size_t i = 0; i < a.rows; ++i) {
      for (size_t k = 0; k < i; ++k) b.at(i, column) -= a.at(i, k) * b.at(k, column);
      b.at(i, column) /= a.at(i, i);
    }
    for (size_t i = a.rows; i-- > 0;) {
      for (size_t k = i + 1; k < a.rows; ++k) b.at(i, column) -= a.at(k, i) * b.at(k, column);
      b.at(i, column) /= a.at(i, i);
    }
  }
  return b;
}

}  // namespace opbench
