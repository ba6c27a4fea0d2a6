#include "measuring/results/time_interval.h"

#include <gtest/gtest.h>

#include "measuring/results/estimate.h"

namespace opbench {
namespace {

TEST(IntervalOf, IsThatOfTheSamples) {
  const Measurement time = estimate({{.wall_s = 1}, {.wall_s = 2}, {.wall_s = 3}}, 0);
  EXPECT_EQ(interval_of(time), (Interval{time.low_ms, time.high_ms}));
}

TEST(IntervalOf, IsNothingForASingleSample) {
  EXPECT_FALSE(interval_of(estimate({{.wall_s = 0.389288}}, 0)));
  EXPECT_FALSE(interval_of(estimate({{.wall_s = 0.4, .flag = "preempted"}}, 0))) << "disturbed";
  EXPECT_FALSE(interval_of(estimate({{.wall_s = 1, .flag = "warm_up"}, {.wall_s = 0.4}}, 0)));
}

TEST(IntervalOf, MayBeEmptyWhereSamplesAreEqual) {
  const Measurement time = estimate({{.wall_s = 1}, {.wall_s = 1}}, 0);
  EXPECT_EQ(interval_of(time), (Interval{1000, 1000}));
}

TEST(IntervalOf, IsNothingWhereOneOfSeveralSamplesCounts) {
  Measurement time = estimate({{.wall_s = 1}, {.wall_s = 2}}, 0);
  time.low_ms = time.high_ms = time.median_ms;  // of the one round that was not disturbed
  EXPECT_FALSE(interval_of(time));
}

}  // namespace
}  // namespace opbench
