#include "opbench/schedule/transform_row.h"

#include <halide14/Halide.h>

namespace opbench {
namespace {

using Halide::Expr;

/// sum of factors[i] * values[i], without the zeros and the multiplications by one.
Expr combination(const std::vector<double>& factors, const std::vector<Expr>& values) {
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
  return sum;
}

}  // namespace

Expr matrix_row(const std::vector<std::vector<double>>& matrix, const Expr& index,
                const std::vector<Expr>& values) {
  std::vector<Expr> rows;
  for (const std::vector<double>& row : matrix) rows.push_back(combination(row, values));
  return Halide::mux(index, rows);
}

}  // namespace opbench
