#include "measuring/sampling/noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace opbench {
namespace {

/// 200 repeats of 2 ms; every `period`-th is preempted and twice as long.
std::vector<Sample> repeats(double spread, int period) {
  std::vector<Sample> samples(200);
  for (size_t i = 0; i < samples.size(); ++i) {
    Sample& sample = samples[i];
    sample.wall_s = 2e-3 * (1 + (i % 2 == 0 ? spread : -spread));
    sample.cpu_s = sample.wall_s;
    sample.cpu = 0;
    if (period > 0 && i % static_cast<size_t>(period) == 0) {
      sample.wall_s *= 2;
      sample.involuntary_switches = 1;
    }
  }
  return samples;
}

TEST(Noise, IsQuietWithoutVariation) {
  const Preflight found = judge_noise(repeats(0.002, 0));
  EXPECT_EQ(found.noise, NoiseClass::kQuiet);
  EXPECT_NEAR(found.cv_percent, 0.2, 0.01);
  EXPECT_NEAR(found.reference_s, 2e-3, 1e-5);
  EXPECT_THAT(found.advice, testing::HasSubstr("quiet machine"));
}

TEST(Noise, IsSharedWhenSomeRepeatsAreDisturbed) {
  const Preflight found = judge_noise(repeats(0.002, 5));
  EXPECT_EQ(found.noise, NoiseClass::kShared);
  EXPECT_NEAR(found.flagged_share, 0.2, 1e-9);
  EXPECT_NEAR(found.clean_cv_percent, 0.2, 0.01);
  EXPECT_GT(found.cv_percent, 10);
}

TEST(Noise, IsHostileWhenMostRepeatsAreDisturbedOrCleanOnesVary) {
  EXPECT_EQ(judge_noise(repeats(0.002, 1)).noise, NoiseClass::kHostile);
  const Preflight found = judge_noise(repeats(0.1, 0));
  EXPECT_EQ(found.noise, NoiseClass::kHostile);
  EXPECT_THAT(found.advice, testing::HasSubstr("--budget"));
}

TEST(Noise, OfNothingIsShared) { EXPECT_EQ(judge_noise({}).noise, NoiseClass::kShared); }

TEST(Preflight, LooksAtThisMachine) {
  const Preflight found = run_preflight();
  EXPECT_GT(found.reference_s, 0);
  EXPECT_GE(found.clock_resolution.count(), 1e-9);
  EXPECT_LT(found.clock_resolution.count(), 1e-2);
  EXPECT_GT(found.clock_overhead.count(), 0);
  EXPECT_FALSE(found.advice.empty());
}

}  // namespace
}  // namespace opbench
