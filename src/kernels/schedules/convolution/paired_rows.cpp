#include "kernels/schedules/convolution/paired_rows.h"

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

bool are_alike(const MatrixRow& a, const MatrixRow& b) {
  return std::ranges::equal(
      a, b, {}, [](double x) { return std::abs(x); }, [](double x) { return std::abs(x); });
}

std::vector<MatrixRow> transposed(const std::vector<MatrixRow>& rows) {
  std::vector<MatrixRow> columns(rows.front().size());
  for (const MatrixRow& row : rows)
    for (size_t i = 0; i < row.size(); ++i) columns[i].push_back(row[i]);
  return columns;
}

int64_t terms(const MatrixRow& row) { return std::ssize(row) - std::ranges::count(row, 0.0); }

}  // namespace

std::vector<RowPair> pair_rows(const std::vector<MatrixRow>& rows) {
  std::vector<RowPair> pairs;
  std::vector<bool> is_paired(rows.size(), false);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (is_paired[i]) continue;
    RowPair pair{.first = i};
    for (size_t j = i + 1; j < rows.size() && !pair.second; ++j)
      if (!is_paired[j] && are_alike(rows[i], rows[j])) pair.second = j;
    if (pair.second) is_paired[*pair.second] = true;
    pairs.push_back(pair);
  }
  return pairs;
}

RowParts parts_of(const MatrixRow& first, const MatrixRow& second) {
  RowParts parts{.same = first, .opposite = first};
  for (size_t i = 0; i < first.size(); ++i)
    (first[i] == second[i] ? parts.opposite : parts.same)[i] = 0;
  return parts;
}

SummedMatrix sum_columns(const std::vector<MatrixRow>& rows) {
  const std::vector<MatrixRow> columns = transposed(rows);
  SummedMatrix result{.columns = pair_rows(columns), .rows = {}};
  std::vector<MatrixRow> summed;
  for (const RowPair& pair : result.columns) {
    if (!pair.second) {
      summed.push_back(columns[pair.first]);
      continue;
    }
    RowParts parts = parts_of(columns[pair.first], columns[*pair.second]);
    summed.push_back(std::move(parts.same));
    summed.push_back(std::move(parts.opposite));
  }
  result.rows = transposed(summed);
  return result;
}

int64_t step_count(const std::vector<MatrixRow>& rows) {
  const SummedMatrix matrix = sum_columns(rows);
  int64_t steps = 0;
  for (const RowPair& pair : matrix.columns) steps += pair.second ? 2 : 0;
  for (const RowPair& pair : pair_rows(matrix.rows)) {
    if (!pair.second) {
      steps += terms(matrix.rows[pair.first]);
      continue;
    }
    const RowParts parts = parts_of(matrix.rows[pair.first], matrix.rows[*pair.second]);
    steps += terms(parts.same) + terms(parts.opposite);
  }
  return steps;
}

}  // namespace opbench
