#include "kernels/schedules/convolution/paired_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/schedules/convolution/minimal_filter.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;

TEST(PairedRows, ArePairedWhereOnlySignsDiffer) {
  const std::vector<RowPair> pairs = pair_rows({{1, 0}, {2, 3}, {-1, 0}, {2, -3}, {1, 0}});
  ASSERT_THAT(pairs.size(), Eq(3));
  EXPECT_THAT(pairs[0].second, Eq(2));
  EXPECT_THAT(pairs[1].second, Eq(3));
  EXPECT_THAT(pairs[2].first, Eq(4));
  EXPECT_THAT(pairs[2].second, Eq(std::nullopt));
}

TEST(PairedRows, AreTheSumAndTheDifferenceOfTheirParts) {
  const MatrixRow first = {1, -2, 0, 4}, second = {1, 2, 0, -4};
  const RowParts parts = parts_of(first, second);
  EXPECT_THAT(parts.same, ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(parts.opposite, ElementsAre(0, -2, 0, 4));
}

double dot(const MatrixRow& row, const std::vector<double>& values) {
  double sum = 0;
  for (size_t i = 0; i < row.size(); ++i) sum += row[i] * values[i];
  return sum;
}

TEST(PairedRows, SumsOfColumnsComputeTheSame) {
  for (const MinimalFilter& f :
       {minimal_filter(4, 3), minimal_filter(5, 7), strided_filter(3, 5)}) {
    for (const std::vector<MatrixRow>& matrix : {f.input, f.output, f.filter}) {
      std::vector<double> values, summed;
      for (size_t i = 0; i < matrix.front().size(); ++i)
        values.push_back(static_cast<double>(3 * i * i) + 0.25);
      const SummedMatrix sums = sum_columns(matrix);
      for (const RowPair& pair : sums.columns) {
        const double other = pair.second ? values[*pair.second] : 0;
        summed.push_back(values[pair.first] + other);
        if (pair.second) summed.push_back(values[pair.first] - other);
      }
      for (size_t row = 0; row < matrix.size(); ++row)
        EXPECT_NEAR(dot(sums.rows[row], summed), dot(matrix[row], values), 1e-9);
    }
  }
}

TEST(PairedRows, CountWhatTheyShareOnce) {
  EXPECT_THAT(step_count({{1, 2, 3}}), Eq(3));
  EXPECT_THAT(step_count({{1, 2, 3, 0}, {1, -2, 3, 0}}), Eq(3));
  EXPECT_THAT(step_count({{1, 1}, {2, -2}, {5, 5}}), Eq(5));
  const MinimalFilter f = minimal_filter(6, 3);
  EXPECT_THAT(step_count(f.input), Eq(26));
  EXPECT_THAT(step_count(f.output), Eq(26));
}

}  // namespace
}  // namespace opbench
