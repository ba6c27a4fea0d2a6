#include "kernels/schedules/convolution/transform_row.h"

#include <halide14/Halide.h>

#include "kernels/schedules/convolution/paired_rows.h"

namespace opbench {
namespace {

using Halide::Expr;

/// sum of factors[i] * values[i], without the zeros and the multiplications by one.
Expr combination(const MatrixRow& factors, const std::vector<Expr>& values) {
  Expr sum;
  for (size_t i = 0; i < factors.size(); ++i) {
    if (factors[i] == 0) continue;
    const bool is_negative = factors[i] < 0;
    const float size = static_cast<float>(is_negative ? -factors[i] : factors[i]);
    const Expr term = size == 1.0f ? values[i] : values[i] * size;
    if (!sum.defined())
      sum = is_negative ? -term : term;
    else
      sum = is_negative ? sum - term : sum + term;
  }
  return sum.defined() ? sum : Expr(0.0f);
}

std::vector<Expr> summed(const std::vector<RowPair>& columns, const std::vector<Expr>& values) {
  std::vector<Expr> result;
  for (const RowPair& pair : columns) {
    const Expr& first = values[pair.first];
    if (!pair.second) {
      result.push_back(first);
      continue;
    }
    result.push_back(first + values[*pair.second]);
    result.push_back(first - values[*pair.second]);
  }
  return result;
}

}  // namespace

Expr matrix_row(const std::vector<MatrixRow>& matrix, const Expr& index,
                const std::vector<Expr>& values) {
  const SummedMatrix sums = sum_columns(matrix);
  const std::vector<Expr> terms = summed(sums.columns, values);
  std::vector<Expr> rows(matrix.size());
  for (const RowPair& pair : pair_rows(sums.rows)) {
    const MatrixRow& first = sums.rows[pair.first];
    if (!pair.second) {
      rows[pair.first] = combination(first, terms);
      continue;
    }
    const RowParts parts = parts_of(first, sums.rows[*pair.second]);
    const Expr same = combination(parts.same, terms), opposite = combination(parts.opposite, terms);
    rows[pair.first] = same + opposite;
    rows[*pair.second] = same - opposite;
  }
  return Halide::mux(index, rows);
}

}  // namespace opbench
