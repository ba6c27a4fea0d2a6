#include "prediction/few_shot/non_negative.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/numbers/random.h"

namespace opbench {
namespace {

double squared_error(const DenseMatrix& a, const std::vector<double>& b,
                     const std::vector<double>& weights) {
  double sum = 0;
  for (size_t row = 0; row < a.rows; ++row) {
    double error = -b[row];
    for (size_t i = 0; i < a.columns; ++i) error += a.at(row, i) * weights[i];
    sum += error * error;
  }
  return sum;
}

/// Least squares over every subset of the columns; the best without a negative weight.
double exhaustive_error(const DenseMatrix& a, const std::vector<double>& b) {
  double best = squared_error(a, b, std::vector<double>(a.columns));
  for (size_t set = 1; set < (size_t{1} << a.columns); ++set) {
    std::vector<size_t> kept;
    for (size_t i = 0; i < a.columns; ++i) {
      if ((set >> i & 1) != 0) kept.push_back(i);
    }
    DenseMatrix gram(kept.size(), kept.size()), right(kept.size(), 1);
    for (size_t row = 0; row < a.rows; ++row) {
      for (size_t i = 0; i < kept.size(); ++i) {
        right.at(i, 0) += a.at(row, kept[i]) * b[row];
        for (size_t j = 0; j < kept.size(); ++j)
          gram.at(i, j) += a.at(row, kept[i]) * a.at(row, kept[j]);
      }
    }
    const DenseMatrix found = solve_positive(gram, right);
    std::vector<double> weights(a.columns);
    bool is_allowed = true;
    for (size_t i = 0; i < kept.size(); ++i) {
      weights[kept[i]] = found.at(i, 0);
      is_allowed = is_allowed && found.at(i, 0) >= 0;
    }
    if (is_allowed) best = std::min(best, squared_error(a, b, weights));
  }
  return best;
}

TEST(NonNegativeWeights, AreAsGoodAsTheBestOfAllSubsets) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const size_t columns = 1 + random.below(6), rows = columns + random.below(8);
    DenseMatrix a(rows, columns);
    for (double& value : a.values) value = random.normal();
    std::vector<double> b(rows);
    for (double& value : b) value = random.normal();
    const std::vector<double> weights = non_negative_weights(a, b);
    for (const double weight : weights) EXPECT_GE(weight, 0);
    const double best = exhaustive_error(a, b);
    EXPECT_NEAR(squared_error(a, b, weights), best, 1e-8 * (1 + best)) << i;
  }
}

TEST(NonNegativeWeights, TakeEqualColumns) {
  DenseMatrix a(3, 2);
  a.values = {1, 1, 2, 2, 3, 3};
  const std::vector<double> b = {2, 4, 6};
  EXPECT_NEAR(squared_error(a, b, non_negative_weights(a, b)), 0, 1e-9);
}

TEST(NonNegativeWeights, AreZeroWhereEveryColumnPointsAway) {
  DenseMatrix a(2, 2);
  a.values = {1, 2, 3, 4};
  EXPECT_EQ(non_negative_weights(a, std::vector<double>{-1, -1}), std::vector<double>({0, 0}));
}

TEST(SolvePositive, SolvesForSeveralColumns) {
  DenseMatrix a(2, 2), b(2, 2);
  a.values = {4, 2, 2, 3};
  b.values = {8, 2, 7, -5};
  const DenseMatrix x = solve_positive(a, b);
  for (size_t row = 0; row < 2; ++row) {
    for (size_t column = 0; column < 2; ++column) {
      EXPECT_NEAR(a.at(row, 0) * x.at(0, column) + a.at(row, 1) * x.at(1, column),
                  b.at(row, column), 1e-12);
    }
  }
}

}  // namespace
}  // namespace opbench
