#include "presentation/html/ratio_profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "presentation/html/svg_parts.h"

namespace opbench {
namespace {

PageRow timed(double ms, double base_ms) {
  return {.time = PageTime{ms, 0.01}, .base_time = PageTime{base_ms, 0.01}};
}

TEST(RatioProfile, AgreesWithACount) {
  PagePair pair;
  const std::vector<std::pair<double, double>> times = {{1, 2}, {2, 2}, {4, 3}, {10, 11}, {1, 1.5}};
  for (const auto& [ms, base] : times) pair.rows.push_back(timed(ms, base));
  pair.rows.push_back({.time = PageTime{1, 0.01}});
  const std::vector<SpeedUp> factors = speed_ups(pair);
  ASSERT_EQ(factors.size(), 5U);
  double sum = 0;
  for (const auto& [ms, base] : times) sum += base;
  for (const double p : {0.1, 0.75, 0.76, 1.0, 1.1, 1.2, 1.5, 1.9, 2.0, 2.1}) {
    int count = 0;
    double weight = 0;
    for (const auto& [ms, base] : times) {
      if (base / ms < p) continue;
      ++count;
      weight += base / sum;
    }
    EXPECT_NEAR(share_at_least(factors, p, false), count / 5.0, 1e-12) << p;
    EXPECT_NEAR(share_at_least(factors, p, true), weight, 1e-12) << p;
  }
  EXPECT_EQ(share_at_least({}, 1, false), 0);
}

TEST(LogAxis, HasRoundTicksInside) {
  const ChartAxis axis = log_axis(0.03, 40, 12);
  EXPECT_EQ(axis.ticks, (std::vector<double>{0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20}));
  EXPECT_EQ(log_axis(0.03, 40, 5).ticks, (std::vector<double>{0.1, 1, 10}));
  const std::vector<double> even = log_axis(0.78, 1.31, 9).ticks;
  ASSERT_EQ(even.size(), 6U);
  EXPECT_NEAR(even[0], 0.8, 1e-12);
  EXPECT_NEAR(even[2], 1, 1e-12);
  EXPECT_LE(log_axis(1e-9, 1e12, 6).ticks.size(), 6U);
}

TEST(LogAxis, PlacesValues) {
  const ChartAxis axis = log_axis(1, 100, 9);
  EXPECT_NEAR(x_percent(axis, 10), 50, 1e-9);
  EXPECT_NEAR(y_pixels(axis, 100, 300), 0, 1e-9);
  EXPECT_NEAR(y_pixels(axis, 1, 300), 300, 1e-9);
  EXPECT_NEAR(x_percent(axis, 1e6), 100, 1e-9) << "outside is at the end";
}

}  // namespace
}  // namespace opbench
