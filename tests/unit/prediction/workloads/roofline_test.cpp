#include "prediction/costs/roofline.h"

#include <gtest/gtest.h>

#include "default_kernel.h"

namespace opbench {
namespace {

constexpr double kMebibyte = 1 << 20;
constexpr double kGiga = 1e9;

double rate_of(double footprint, int threads = 1) {
  return 1 / (seconds_per_byte(footprint, round_ceilings(), threads) * kGiga);
}

TEST(Roofline, BytesComeFromTheSmallestLevelThatHoldsThem) {
  EXPECT_NEAR(rate_of(16e3), 400, 1e-6);
  EXPECT_NEAR(rate_of(kMebibyte), 200, 1e-6);
  EXPECT_NEAR(rate_of(1.5 * kMebibyte), 50, 1e-6);
  EXPECT_NEAR(rate_of(32 * kMebibyte), 50, 1e-6);
  EXPECT_NEAR(rate_of(32 * kMebibyte, 2), 100, 1e-6);
}

TEST(Roofline, TheLastCacheStillGivesAShareOfMoreThanItHolds) {
  // Half of 64 MiB at 50 GB/s, half at 10.
  EXPECT_NEAR(rate_of(64 * kMebibyte), 2 / (1 / 50.0 + 1 / 10.0), 1e-6);
  EXPECT_NEAR(rate_of(1e6 * kMebibyte), 10, 0.01);
  double last = rate_of(1);
  for (double bytes = 1e3; bytes < 1e10; bytes *= 1.1) {
    EXPECT_LE(rate_of(bytes), last + 1e-9) << bytes;
    last = rate_of(bytes);
  }
}

TEST(Roofline, WithoutLevelsThereIsNoMemoryTime) {
  Ceilings ceilings = round_ceilings();
  ceilings.bandwidth.clear();
  EXPECT_EQ(level_of(1, ceilings), nullptr);
  EXPECT_EQ(seconds_per_byte(1, ceilings, 1), 0);
  const RooflineTime time = roofline_time(1e9, 1e9, 1e9, ceilings, 1);
  EXPECT_EQ(time.memory_s, 0);
  EXPECT_DOUBLE_EQ(time.bound_s(), 0.01);
}

TEST(Roofline, OnlyMemoryWithoutACache) {
  Ceilings ceilings = round_ceilings();
  ceilings.bandwidth = {ceilings.bandwidth.back()};
  EXPECT_DOUBLE_EQ(seconds_per_byte(1, ceilings, 1), 1 / 10e9);
}

}  // namespace
}  // namespace opbench
