#include "prediction/analysis/turning_point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_curves.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

TurningPoint found(const Curve& curve) { return turning_point_of(curve, {}).value(); }

TEST(TurningPoint, FindsAPlantedKneeWithItsInterval) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const TurningPoint point =
        found(made_curve(64, 0.05, seed, [](double n) { return n <= 16 ? 1 / n : 1 / 16.0; }));
    ASSERT_TRUE(point.knee.exists()) << point.knee.reason;
    EXPECT_NEAR(point.knee.last, 16, 4);
    EXPECT_LE(point.knee.low, 17);
    EXPECT_GE(point.knee.high, 15);
    EXPECT_EQ(point.knee.kind, KneeKind::kSaturates);
  }
}

TEST(TurningPoint, CallsAJumpAStep) {
  const TurningPoint point =
      found(made_curve(40, 0.03, 1, [](double n) { return n < 12 ? 8 / n : 0.3; }));
  EXPECT_EQ(point.knee.kind, KneeKind::kStep);
  EXPECT_EQ(point.knee.last, 11);
  EXPECT_EQ(point.knee.next, 12);
  EXPECT_EQ(point.enough_fitted.x, 12);
}

TEST(TurningPoint, SaysWhereMoreDoesHarm) {
  const TurningPoint point =
      found(made_curve(64, 0.02, 1, [](double n) { return n <= 16 ? 1 / n : n / 256; }));
  EXPECT_EQ(point.knee.kind, KneeKind::kWorsens);
  EXPECT_NEAR(point.best.x, 16, 2);
}

TEST(TurningPoint, FindsNoKneeInStraightLinesAndNoise) {
  int knees = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const int count = seed % 2 == 0 ? 16 : 48;
    for (const double slope : {0.0, -0.8}) {
      const TurningPoint point =
          found(made_curve(count, 0.1, seed, [&](double n) { return std::pow(n, slope); }));
      knees += point.knee.exists() ? 1 : 0;
      EXPECT_EQ(point.knee.reason.empty(), point.knee.exists());
    }
  }
  EXPECT_LE(knees, 2);
}

TEST(TurningPoint, MarksASmoothCurveAsGradual) {
  const TurningPoint point =
      found(made_curve(64, 0.02, 1, [](double n) { return 0.05 + 0.95 / n; }));
  EXPECT_TRUE(point.knee.is_gradual);
  EXPECT_EQ(point.forms.front().form, CurveForm::kAmdahl);
}

TEST(TurningPoint, LeavesOutADifferenceThatNobodyFeels) {
  const TurningPoint point =
      found(made_curve(64, 0, 1, [](double n) { return n <= 30 ? 1.0 : 1.01; }));
  EXPECT_FALSE(point.knee.exists());
  EXPECT_THAT(point.knee.reason, HasSubstr("% of the time at most"));
}

TEST(TurningPoint, TellsWhatIsEnough) {
  const TurningPoint point =
      found({{1, 100}, {2, 52}, {3, 40}, {4, 39}, {5, 38.5}, {6, 38}, {7, 41}});
  EXPECT_EQ(point.best.x, 6);
  EXPECT_EQ(point.enough.x, 4);
  EXPECT_THAT(point.knee.reason, HasSubstr("7 values are too few"));
  EXPECT_LE(point.enough.low, 4);
  EXPECT_GE(point.enough.high, 4);
}

TEST(TurningPoint, RefusesTwoValues) {
  const auto point = turning_point_of({{1, 2}, {2, 1}}, {});
  ASSERT_FALSE(point);
  EXPECT_EQ(point.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(point.error().message, "a sweep of 2 values has no turning point");
}

}  // namespace
}  // namespace opbench
