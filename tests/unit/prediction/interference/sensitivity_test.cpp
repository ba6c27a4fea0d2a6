#include "prediction/interference/sensitivity.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace opbench {
namespace {

TEST(SensitivityCurve, WithoutPointsSaysThatNothingSlows) {
  EXPECT_EQ(SensitivityCurve({}).at(1), 1);
  EXPECT_EQ(SensitivityCurve({}).at(3), 1);
}

TEST(SensitivityCurve, RunsThroughRisingPointsAndStaysAtTheLast) {
  const SensitivityCurve curve({{2, 1.5}, {1.5, 1.1}});
  EXPECT_EQ(curve.at(1), 1);
  EXPECT_DOUBLE_EQ(curve.at(1.25), 1.05);
  EXPECT_DOUBLE_EQ(curve.at(1.5), 1.1);
  EXPECT_DOUBLE_EQ(curve.at(1.75), 1.3);
  EXPECT_EQ(curve.at(2), 1.5);
  EXPECT_EQ(curve.at(9), 1.5);
  EXPECT_EQ(curve.at(0.5), 1);
}

TEST(SensitivityCurve, TakesTheMeanWherePointsFall) {
  const SensitivityCurve curve({{1.2, 1.4}, {1.4, 1.2}, {1.6, 1.6}});
  EXPECT_DOUBLE_EQ(curve.at(1.2), 1.3);
  EXPECT_DOUBLE_EQ(curve.at(1.4), 1.3);
  EXPECT_DOUBLE_EQ(curve.at(1.6), 1.6);
}

TEST(SensitivityCurve, CountsSlowDownsBelowOneAsOne) {
  const SensitivityCurve curve({{0.98, 0.97}, {1.5, 0.99}});
  EXPECT_EQ(curve.at(1), 1);
  EXPECT_EQ(curve.at(1.5), 1);
}

TEST(SensitivityCurve, NeverFallsWhateverThePoints) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<SensitivityPoint> points;
    for (int j = 0; j < 8; ++j) {
      points.push_back({0.9 + random.uniform(), 0.9 + random.uniform()});
    }
    const SensitivityCurve curve(points);
    for (double pressure = 0.9; pressure < 2; pressure += 0.01) {
      EXPECT_LE(curve.at(pressure), curve.at(pressure + 0.01));
      EXPECT_GE(curve.at(pressure), 1);
    }
  }
}

}  // namespace
}  // namespace opbench
