#include "prediction/analysis/curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::ElementsAre;

TEST(Curve, SortsPointsAndTakesTheMedianOfEqualOnes) {
  const Curve curve = make_curve({{4, 1}, {1, 8}, {4, 3}, {4, 2}, {1, 6}});
  EXPECT_THAT(curve, ElementsAre(CurvePoint{1, 7}, CurvePoint{4, 2}));
}

TEST(Curve, TakesLogarithmsOnlyWhereAllAreAboveZero) {
  EXPECT_THAT(abscissa_of({{1, 1}, {std::exp(2.0), 1}}), ElementsAre(0, ::testing::DoubleEq(2)));
  EXPECT_THAT(abscissa_of({{0, 1}, {3, 1}}), ElementsAre(0, 3));
}

TEST(Curve, FindsTheFirstTimeThatIsAsGoodAsTheBest) {
  const std::vector<double> times = {10, 5, 4.1, 4, 4.2};
  EXPECT_EQ(fastest_of(times), 3U);
  EXPECT_EQ(first_within(times, 0.05), 2U);
  EXPECT_EQ(first_within(times, 0), 3U);
}

}  // namespace
}  // namespace opbench
