#include "prediction/interference/slowdown.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// A machine that slows down and recovers over the rounds, and whose times scatter by 1 %.
std::vector<SlowdownRound> drifting_rounds(size_t count, double first, double second,
                                           uint64_t seed) {
  Random random(seed);
  std::vector<SlowdownRound> rounds;
  for (size_t i = 0; i < count; ++i) {
    const double drift = 1 + 0.5 * static_cast<double>(i % 10);
    const auto noisy = [&](double value) {
      return value * drift * (1 + 0.01 * static_cast<double>(random.normal()));
    };
    rounds.push_back({{noisy(1e-3), noisy(2e-3)}, {noisy(first * 1e-3), noisy(second * 2e-3)}});
  }
  return rounds;
}

TEST(Slowdown, IsTheMedianRatioWithinRounds) {
  const std::vector<SlowdownRound> rounds = {
      {{1, 10}, {1.5, 10}}, {{2, 10}, {3, 11}}, {{4, 10}, {6, 12}}, {{1, 10}, {9, 10}}};
  EXPECT_EQ(slowdown_of(rounds, 0, 1)->ratio, 1.5);
  EXPECT_DOUBLE_EQ(slowdown_of(rounds, 1, 1)->ratio, 1.05);
  EXPECT_EQ(slowdown_of(rounds, 0, 1)->rounds, 4);
  EXPECT_EQ(solo_seconds(rounds, 0), 1.5);
}

TEST(Slowdown, NeedsRoundsAndTimes) {
  std::vector<SlowdownRound> rounds(kFewestRounds - 1, {{1, 1}, {1, 1}});
  EXPECT_FALSE(slowdown_of(rounds, 0, 1));
  rounds.push_back({{1, 0}, {1, 1}});
  EXPECT_TRUE(slowdown_of(rounds, 0, 1));
  EXPECT_FALSE(slowdown_of(rounds, 1, 1));
}

TEST(Slowdown, IntervalsHoldTheTruthOnAMachineThatDrifts) {
  int held = 0;
  constexpr int kMachines = 100;
  for (uint64_t seed = 0; seed < kMachines; ++seed) {
    const auto slowdown = slowdown_of(drifting_rounds(24, 1.3, 1.0, seed), 0, seed);
    ASSERT_TRUE(slowdown);
    EXPECT_LT(slowdown->interval.high - slowdown->interval.low, 0.06);
    held += slowdown->interval.low <= 1.3 && 1.3 <= slowdown->interval.high ? 1 : 0;
  }
  EXPECT_GE(held, 88);  // of 95 that are expected
}

TEST(Slowdown, IntervalsAreTheSameForOneSeed) {
  const auto rounds = drifting_rounds(24, 1.3, 1.1, 3);
  EXPECT_EQ(slowdown_of(rounds, 1, 7), slowdown_of(rounds, 1, 7));
}

TEST(Slowdown, ThroughputIsTwoWhereNobodyDisturbs) {
  EXPECT_EQ(throughput_of({}, {}), 2);
  EXPECT_EQ(throughput_of({.ratio = 2}, {.ratio = 2}), 1);
}

}  // namespace
}  // namespace opbench
