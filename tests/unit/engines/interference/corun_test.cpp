#include "engines/interference/corun.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/system/monotonic_clock.h"
#include "engines/interference/corun_phase.h"
#include "engines/interference/neighbour.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

void pass_time(double seconds) {
  const double end = monotonic_s() + seconds;
  while (monotonic_s() < end) continue;
}

CorunOptions short_options() {
  const std::vector<int> cpus = current_affinity();
  CorunOptions options;
  if (cpus.size() >= 2) options.cpus = {cpus[0], cpus[1]};
  options.window_s = 0.0005;
  options.limit_s = 5;
  options.most_tries = 400;
  options.rounds = 3;
  return options;
}

bool has_two_cpus() { return current_affinity().size() >= 2; }

int64_t dropped(const CorunResult& result) {
  int64_t count = 0;
  for (const auto& [cause, rounds] : result.dropped) count += rounds;
  return count;
}

TEST(Corun, CountsEveryRoundAsKeptOrDropped) {
  if (!has_two_cpus()) GTEST_SKIP() << "needs two CPUs";
  const auto result = run_corun({compute_side(), compute_side()}, short_options());
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(std::ssize(result->rounds) + dropped(*result), result->tries);
  EXPECT_LE(result->rounds.size(), 3U);
  for (const CorunRound& round : result->rounds) {
    for (size_t side = 0; side < 2; ++side) {
      EXPECT_GT(round.solo_s[side], 0);
      EXPECT_GT(round.together_s[side], 0);
      EXPECT_GE(round.calls[side], 1);
    }
  }
}

TEST(Corun, TimesSidesOfVeryDifferentLengthTogether) {
  if (!has_two_cpus()) GTEST_SKIP() << "needs two CPUs";
  const CorunSide slow{[] {
    pass_time(500e-6);
    return 0;
  }};
  const CorunSide fast{[] {
    pass_time(2e-6);
    return 0;
  }};
  CorunOptions options = short_options();
  options.rounds = 1;
  const auto result = run_corun({slow, fast}, options);
  ASSERT_TRUE(result) << result.error().text;
  if (result->rounds.empty()) GTEST_SKIP() << "no round was undisturbed";
  EXPECT_GE(result->rounds[0].together_s[0], 500e-6);
  EXPECT_GE(result->rounds[0].together_s[1], 2e-6);
  EXPECT_GT(result->rounds[0].calls[1], result->rounds[0].calls[0]);
}

/// The first takes twice as long while the second runs, whatever machine this is.
TEST(Corun, FindsTheSlowDownThatIsThere) {
  if (!has_two_cpus()) GTEST_SKIP() << "needs two CPUs";
  std::atomic<double> last_call = 0;
  const CorunSide slowed{[&last_call] {
    constexpr double kJustNow = 100e-6;
    pass_time(monotonic_s() - last_call < kJustNow ? 80e-6 : 40e-6);
    return 0;
  }};
  const CorunSide slowing{[&last_call] {
    pass_time(5e-6);
    last_call = monotonic_s();
    return 0;
  }};
  CorunOptions options = short_options();
  options.window_s = 0.002;
  const auto result = run_corun({slowed, slowing}, options);
  ASSERT_TRUE(result) << result.error().text;
  if (result->rounds.empty()) GTEST_SKIP() << "no round was undisturbed";
  // A host may stop a virtual machine's CPUs without its knowledge: not in every round.
  EXPECT_THAT(result->rounds, testing::Contains(testing::Truly([](const CorunRound& round) {
                const double slow_down = round.together_s[0] / round.solo_s[0];
                const double of_other = round.together_s[1] / round.solo_s[1];
                return slow_down > 1.5 && slow_down < 2.5 && of_other < 1.5;
              })));
}

TEST(Corun, EndsAfterItsTriesWithNothingKept) {
  if (!has_two_cpus()) GTEST_SKIP() << "needs two CPUs";
  // Who leaves its CPU in every call has no undisturbed round.
  const std::vector<int> cpus = current_affinity();
  const CorunSide wanderer{[&cpus, at = size_t{0}]() mutable {
    static_cast<void>(pin_this_thread({cpus[++at % 2]}));
    return 0;
  }};
  CorunOptions options = short_options();
  options.most_tries = 5;
  options.limit_s = 100;  // an emulated CPU takes seconds for a try
  const auto result = run_corun({wanderer, compute_side()}, options);
  static_cast<void>(pin_this_thread(cpus));
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_TRUE(result->rounds.empty());
  EXPECT_EQ(result->tries, 5);
  EXPECT_EQ(dropped(*result), 5);
}

TEST(Corun, BeginsNoRoundAfterItsLimit) {
  if (!has_two_cpus()) GTEST_SKIP() << "needs two CPUs";
  CorunOptions options = short_options();
  options.limit_s = 1e-9;
  const auto result = run_corun({compute_side(), compute_side()}, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->tries, 0);
}

TEST(Corun, EndsWithTheCodeOfAKernelThatFails) {
  if (!has_two_cpus()) GTEST_SKIP() << "needs two CPUs";
  const CorunSide failing{[] { return 7; }};
  for (const auto& sides : {std::array{failing, compute_side()}, {compute_side(), failing}}) {
    const auto result = run_corun(sides, short_options());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, FailureKind::kRunError);
    EXPECT_THAT(result.error().text, HasSubstr("returned 7"));
  }
}

TEST(Corun, RefusesWhatCannotBe) {
  CorunOptions options = short_options();
  options.cpus = {0, 0};
  EXPECT_EQ(run_corun({compute_side(), compute_side()}, options).error().kind,
            FailureKind::kInvalidConfig);
  options.cpus = {current_affinity().front(), 100'000};
  EXPECT_THAT(run_corun({compute_side(), compute_side()}, options).error().text,
              HasSubstr("CPU 100000"));
  options = short_options();
  options.cpus = {0, 1};
  options.rounds = 0;
  EXPECT_FALSE(run_corun({compute_side(), compute_side()}, options));
}

TEST(CorunPhase, DoesNotWaitForEverAtTheBarrier) {
  PhaseTurns turns;
  CorunPhase phase(2, 0.001);
  const double begin = monotonic_s();
  phase.repeat(compute_side(), 0, turns);
  EXPECT_TRUE(turns.is_late);
  EXPECT_LT(monotonic_s() - begin, 100);
}

TEST(Neighbour, RefusesLevelsOutOfRange) {
  EXPECT_FALSE(neighbour_side({.bytes = 0, .duty = 1}));
  EXPECT_FALSE(neighbour_side({.bytes = kMostNeighbour + 1, .duty = 1}));
  EXPECT_FALSE(neighbour_side({.bytes = 4096, .duty = 0}));
  EXPECT_FALSE(neighbour_side({.bytes = 4096, .duty = 1.5}));
}

TEST(Neighbour, WalksWorkingSetsOfAnySizeWithAnyDuty) {
  for (const int64_t bytes : {kLeastNeighbour, int64_t{10'000}, int64_t{3} << 20}) {
    for (const double duty : {0.25, 1.0}) {
      const auto side = neighbour_side({.bytes = bytes, .duty = duty});
      ASSERT_TRUE(side);
      for (int i = 0; i < 40; ++i) EXPECT_EQ(side->call(), 0);
    }
  }
}

}  // namespace
}  // namespace opbench
