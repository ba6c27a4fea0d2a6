#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace opbench {

using MatrixRow = std::vector<double>;

/// A row, and another that is alike but for signs.
struct RowPair {
  size_t first = 0;
  std::optional<size_t> second;
};

/// Every row once, in the order of the first ones; a row with no like is alone.
std::vector<RowPair> pair_rows(const std::vector<MatrixRow>& rows);

/// What two rows that are alike but for signs have in common, and what only the first has: they are
/// the sum and the difference of the two.
struct RowParts {
  MatrixRow same;
  MatrixRow opposite;
};
RowParts parts_of(const MatrixRow& first, const MatrixRow& second);

/// A matrix whose columns of a pair are those of the sum and the difference of their two values.
struct SummedMatrix {
  std::vector<RowPair> columns;  ///< of the original matrix; each has one column here, or two
  std::vector<MatrixRow> rows;
};
SummedMatrix sum_columns(const std::vector<MatrixRow>& rows);

/// Additions and multiply-adds of a product with a vector, where sums and differences of values and
/// parts of rows are computed once for a pair.
int64_t step_count(const std::vector<MatrixRow>& rows);

}  // namespace opbench
