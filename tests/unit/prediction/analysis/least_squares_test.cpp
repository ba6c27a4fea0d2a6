#include "prediction/analysis/least_squares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace opbench {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

double relative_squares(const std::vector<std::vector<double>>& columns,
                        const std::vector<double>& c, const std::vector<double>& y) {
  double squares = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    double value = 0;
    for (size_t k = 0; k < c.size(); ++k) value += c[k] * columns[k][i];
    squares += (value / y[i] - 1) * (value / y[i] - 1);
  }
  return squares;
}

TEST(LineSums, FitsAnyRunOfPoints) {
  const LineSums sums({0, 1, 2, 3, 4}, {9, 1, 3, 5, 0});
  const FittedLine line = sums.through(1, 4);
  EXPECT_NEAR(line.slope, 2, 1e-12);
  EXPECT_NEAR(line.intercept, -1, 1e-12);
  EXPECT_NEAR(line.squares, 0, 1e-12);
  EXPECT_GT(sums.through(0, 5).squares, 1);
}

TEST(LineSums, IsHorizontalWhereAllPlacesAreEqual) {
  EXPECT_EQ(LineSums({2, 2}, {1, 3}).through(0, 2).slope, 0);
}

TEST(NonNegativeFit, FindsTheCoefficientsOfASum) {
  const std::vector<std::vector<double>> columns = {{1, 1, 1, 1}, {1, 0.5, 0.25, 0.125}};
  std::vector<double> y;
  for (size_t i = 0; i < 4; ++i) y.push_back(2 * columns[0][i] + 7 * columns[1][i]);
  EXPECT_THAT(non_negative_fit(columns, y), ElementsAre(DoubleNear(2, 1e-9), DoubleNear(7, 1e-9)));
}

TEST(NonNegativeFit, IsNoWorseThanAnyGridOfCoefficients) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<std::vector<double>> columns(2, std::vector<double>(6));
    std::vector<double> y(6);
    for (auto& column : columns) {
      for (double& value : column) value = random.uniform();
    }
    for (double& value : y) value = 0.5 + random.uniform();
    const double own = relative_squares(columns, non_negative_fit(columns, y), y);
    for (double a = 0; a <= 3; a += 0.05) {
      for (double b = 0; b <= 3; b += 0.05) {
        EXPECT_LE(own, relative_squares(columns, {a, b}, y) + 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace opbench
