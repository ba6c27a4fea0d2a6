#include "prediction/analysis/plateaus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "made_curves.h"

namespace opbench {
namespace {

/// Times over a working set that doubles every six points, with caches of these sizes; `ramp`: over
/// how many octaves a level goes over into the next.
Curve made_levels(const std::vector<double>& caches, double ramp, uint64_t seed) {
  Random random(seed);
  Curve curve;
  for (int i = 0; i < 90; ++i) {
    const double x = 4096 * std::exp2(i / 6.0);
    double log_time = 0;
    for (const double cache : caches) {
      const double beyond = std::log2(x / cache) / ramp;
      log_time += 0.7 * std::clamp(beyond + 0.5, 0.0, 1.0);
    }
    curve.push_back({x, std::exp(log_time + 0.01 * random.normal())});
  }
  return curve;
}

TEST(Plateaus, AreFoundWithinAFactorOfOneAndAHalf) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    for (const double ramp : {0.05, 0.6}) {
      const std::vector<double> caches = {32.0 * 1024, 1024.0 * 1024};
      const std::vector<Rise> rises = rises_of(made_levels(caches, ramp, seed), 10);
      ASSERT_EQ(rises.size(), 2U);
      for (size_t i = 0; i < 2; ++i) {
        EXPECT_GT(rises[i].at, caches[i] / 1.5);
        EXPECT_LT(rises[i].at, caches[i] * 1.5);
        EXPECT_NEAR(rises[i].behind / rises[i].before, std::exp(0.7), 0.2);
        EXPECT_LE(rises[i].last, rises[i].at);
        EXPECT_GE(rises[i].next, rises[i].at);
      }
    }
  }
}

TEST(Plateaus, AreOneWhereNothingChanges) {
  EXPECT_TRUE(rises_of(made_levels({}, 1, 1), 10).empty());
  EXPECT_TRUE(rises_of({{1, 1}, {2, 5}}, 10).empty());
}

}  // namespace
}  // namespace opbench
