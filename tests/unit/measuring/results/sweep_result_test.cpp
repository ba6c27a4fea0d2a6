#include "measuring/results/sweep_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Eq;
using testing::Optional;

const std::vector<SweepKey> kKeys = {{"threads", {"1", "2"}}, {"batch", {"1", "8", "32"}}};

SweepPoint timed(size_t index, int64_t batch, double ms) {
  SweepPoint point{.index = index, .values = point_values(kKeys, index), .batch = batch};
  point.time = Measurement{.median_ms = ms};
  return point;
}

TEST(SweepResult, NumbersThePointsWithTheLastKeyFastest) {
  EXPECT_EQ(point_count(kKeys), 6U);
  EXPECT_THAT(point_values(kKeys, 0), ElementsAre("1", "1"));
  EXPECT_THAT(point_values(kKeys, 2), ElementsAre("1", "32"));
  EXPECT_THAT(point_values(kKeys, 3), ElementsAre("2", "1"));
  EXPECT_THAT(point_values(kKeys, 5), ElementsAre("2", "32"));
}

TEST(SweepResult, ComparesItemsWithTheFirstPointOfTheirSeries) {
  SweepResult result{.keys = kKeys, .total = 6};
  result.points = {timed(0, 1, 2.0), timed(1, 8, 8.0), timed(3, 1, 1.0), timed(5, 32, 16.0)};
  EXPECT_THAT(speed_ups(result),
              ElementsAre(Optional(DoubleNear(1, 1e-12)), Optional(DoubleNear(2, 1e-12)),
                          Optional(DoubleNear(1, 1e-12)), Optional(DoubleNear(2, 1e-12))));
}

TEST(SweepResult, HasNoSpeedUpWhereTheFirstPointHasNoTime) {
  SweepResult result{.keys = kKeys, .total = 6};
  result.points = {timed(0, 1, 2.0), timed(1, 8, 8.0)};
  result.points[0].time.reset();
  EXPECT_THAT(speed_ups(result), ElementsAre(Eq(std::nullopt), Eq(std::nullopt)));
}

}  // namespace
}  // namespace opbench
