#include "watching/bisect/pair_noise.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace opbench {
namespace {

std::vector<double> drawn(Random& random, size_t count, double centre, double noise) {
  std::vector<double> values(count);
  for (double& value : values) value = centre + noise * static_cast<double>(random.normal());
  return values;
}

TEST(PairNoise, IsThatInsideTheSets) {
  Random random(1);
  const std::vector<double> first = drawn(random, 200, 0.0, 0.01);
  const std::vector<double> second = drawn(random, 200, 0.5, 0.01);
  EXPECT_NEAR(pair_noise({first, second}), 0.01, 0.001);
}

TEST(PairNoise, OfFewPairsIsNotTooSmall) {
  Random random(2);
  double sum = 0;
  constexpr int kTries = 400;
  for (int i = 0; i < kTries; ++i) {
    const std::vector<double> a = drawn(random, 4, 0.0, 0.01);
    const std::vector<double> b = drawn(random, 4, 0.1, 0.01);
    const std::vector<double> c = drawn(random, 40, 0.1, 0.01);
    sum += pair_noise({a, b, c});
  }
  EXPECT_NEAR(sum / kTries, 0.01, 0.0005);
}

TEST(PairNoise, HardlyFollowsOutliers) {
  Random random(3);
  std::vector<double> values = drawn(random, 40, 0.0, 0.01);
  values[7] = 3;
  values[20] = -2;
  EXPECT_LT(pair_noise({values}), 0.015);
  EXPECT_NEAR(clipped_mean(values, 0.01), 0.0, 0.006);
}

TEST(PairNoise, IsNeverNone) {
  EXPECT_EQ(pair_noise({}), 0.0005);
  const std::vector<double> equal(9, 0.25), one = {1};
  EXPECT_EQ(pair_noise({equal, one}), 0.0005);
  EXPECT_EQ(clipped_mean({}, 0.01), 0);
  EXPECT_EQ(clipped_mean(one, 0.01), 1);
}

}  // namespace
}  // namespace opbench
