#include <gtest/gtest.h>

#include "simulated_comparison.h"
#include "test_form.h"

namespace opbench {
namespace {

const int kTrials = by_form(20, 50);

struct Counts {
  int with_false_unit = 0;
  int found = 0, same = 0, inconclusive = 0;  ///< of the slowed unit
  int model_false = 0;
  int inconclusive_units = 0;
};

Counts count(const SimulatedComparison& comparison) {
  Counts counts;
  for (int trial = 0; trial < kTrials; ++trial) {
    const SimulatedVerdicts verdicts = simulate(comparison, static_cast<uint64_t>(trial));
    counts.with_false_unit += verdicts.has_false_unit(comparison.slowed) ? 1 : 0;
    const Verdict model = verdicts.model.verdict;
    counts.model_false += model == Verdict::kSlower || model == Verdict::kFaster ? 1 : 0;
    for (const JudgedRatio& unit : verdicts.units) {
      counts.inconclusive_units += unit.verdict == Verdict::kInconclusive ? 1 : 0;
    }
    if (!comparison.slowed) continue;
    const Verdict slowed = verdicts.units[*comparison.slowed].verdict;
    counts.found += slowed == Verdict::kSlower ? 1 : 0;
    counts.same += slowed == Verdict::kSame ? 1 : 0;
    counts.inconclusive += slowed == Verdict::kInconclusive ? 1 : 0;
  }
  return counts;
}

/// The same code on both sides.
Counts alike(const SimulatedNoise& noise) { return count({.noise = noise}); }

TEST(SimulatedVerdicts, AreNotFalseUnderWhiteNoise) {
  const Counts counts = alike({.white = 0.005});
  EXPECT_LE(counts.with_false_unit, 1);
  EXPECT_LE(counts.model_false, 1);
  EXPECT_LE(counts.inconclusive_units, kTrials * 25 / 50);
}

TEST(SimulatedVerdicts, AreNotFalseWhereProcessesDifferForGood) {
  const Counts counts = alike({.white = 0.005, .process_bias = 0.003});
  EXPECT_LE(counts.with_false_unit, 1);
  EXPECT_LE(counts.inconclusive_units, kTrials * 25 / 20);
  EXPECT_LE(alike({.white = 0.005, .process_bias = 0.02}).with_false_unit, 1);
}

TEST(SimulatedVerdicts, AreNotFalseUnderDrift) {
  const Counts counts = alike({.white = 0.005, .drift_per_s = 0.005});
  EXPECT_LE(counts.with_false_unit, 1);
  EXPECT_LE(counts.inconclusive_units, kTrials * 25 / 50);
}

TEST(SimulatedVerdicts, AreNotFalseUnderBurstsThatAreSeen) {
  const SimulatedNoise noise{
      .white = 0.005, .process_bias = 0.001, .bursts_per_s = 2, .burst_s = 0.1, .burst_factor = 2};
  const Counts counts = alike(noise);
  EXPECT_LE(counts.with_false_unit, 1);
  EXPECT_LE(counts.inconclusive_units, kTrials * 25 / 20);
}

TEST(SimulatedVerdicts, AreNotFalseUnderBurstsThatAreNotSeen) {
  SimulatedNoise noise{.white = 0.005,
                       .process_bias = 0.001,
                       .bursts_per_s = 2,
                       .burst_s = 0.1,
                       .burst_factor = 1.5,
                       .bursts_are_seen = false};
  EXPECT_LE(alike(noise).with_false_unit, 1);
  noise.bursts_per_s = 0.2;
  noise.burst_s = 3;
  EXPECT_LE(alike(noise).with_false_unit, 1);
}

TEST(SimulatedVerdicts, AreNotFalseUnderNoiseThatRemembers) {
  for (const double wander_s : {0.01, 0.1, 5.0}) {
    const Counts counts = alike({.white = 0.005, .wander = 0.02, .wander_s = wander_s});
    EXPECT_LE(counts.with_false_unit, 1) << wander_s;
  }
}

TEST(SimulatedVerdicts, FindASlowdownOfThreePercent) {
  for (const double bias : {0.0, 0.001, 0.003}) {
    const Counts counts = count({.noise = {.white = 0.005, .process_bias = bias}, .slowed = 12});
    EXPECT_GE(counts.found, kTrials * 9 / 10) << bias;
    EXPECT_EQ(counts.same, 0) << bias;
    EXPECT_LE(counts.with_false_unit, 1) << bias;
  }
}

TEST(SimulatedVerdicts, NeverCallASlowdownSameThatNoiseHides) {
  const SimulatedNoise quiet{.white = 0.005, .process_bias = 0.001};
  const Counts own = count({.noise = quiet, .slowed = 12, .slowed_extra_noise = 0.3});
  EXPECT_EQ(own.same, 0);
  EXPECT_GE(own.inconclusive, kTrials * 85 / 100);
  const SimulatedNoise hostile{.white = 0.1,
                               .process_bias = 0.02,
                               .bursts_per_s = 5,
                               .burst_s = 0.1,
                               .burst_factor = 2,
                               .bursts_are_seen = false};
  const Counts all = count({.noise = hostile, .slowed = 12});
  EXPECT_EQ(all.same, 0);
  EXPECT_GE(all.inconclusive, kTrials * 95 / 100);
  EXPECT_LE(all.with_false_unit, 1);
}

}  // namespace
}  // namespace opbench
