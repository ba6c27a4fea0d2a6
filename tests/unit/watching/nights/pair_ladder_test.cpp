#include "watching/nights/pair_ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// Pairs around `center`, the same for the same call.
PairSource pairs_around(double center, double sd) {
  return [=](const PairedQuestion& question) -> Result<PairedAnswer> {
    Random random(static_cast<uint64_t>(question.call) + 1);
    PairedAnswer answer;
    for (int i = 0; i < question.pairs; ++i) {
      answer.log_ratios.push_back(center + sd * static_cast<double>(random.normal()));
    }
    return answer;
  };
}

TEST(HodgesLehmann, IsTheMedianOfMeansOfTwo) {
  const PairedSize size = hodges_lehmann(std::vector<double>{1, 2, 9}, 0);
  EXPECT_EQ(size.center, 3.5);  // of 1, 1.5, 2, 5, 5.5, 9
  EXPECT_LE(size.low, size.center);
  EXPECT_GE(size.high, size.center);
  EXPECT_EQ(hodges_lehmann(std::vector<double>{4}, 3.9).center, 4);
}

TEST(HodgesLehmann, HoldsTheTruthAsOftenAsItSays) {
  int held = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    std::vector<double> values;
    for (int i = 0; i < 20; ++i) values.push_back(random.normal());
    const PairedSize size = hodges_lehmann(values, 1.96);
    held += size.low <= 0 && size.high >= 0;
  }
  EXPECT_GE(held, 366);  // 380 expected, sd 4.4
  EXPECT_LE(held, 394);
}

TEST(Climb, StopsAsSoonAsItIsSure) {
  const auto changed = climb(pairs_around(0.05, 0.005), {.series = "a"});
  EXPECT_EQ(changed->verdict, PairedVerdict::kChanged);
  EXPECT_EQ(changed->pairs, 20);
  EXPECT_EQ(changed->calls, 1);
  const auto same = climb(pairs_around(0, 0.003), {.series = "a"});
  EXPECT_EQ(same->verdict, PairedVerdict::kSame);
  EXPECT_EQ(same->pairs, 20);
}

TEST(Climb, DoublesThePairs) {
  const auto later = climb(pairs_around(0.03, 0.03), {.series = "a"});
  EXPECT_EQ(later->verdict, PairedVerdict::kChanged);
  EXPECT_GT(later->pairs, 20);
}

TEST(Climb, StaysUnknownAtTheMarginAndStopsWhereItIsHopeless) {
  const auto at_margin = climb(pairs_around(0.01, 0.01), {.series = "a"});
  EXPECT_EQ(at_margin->verdict, PairedVerdict::kUnknown);
  const auto wide = climb(pairs_around(0, 0.5), {.series = "a"});
  EXPECT_EQ(wide->verdict, PairedVerdict::kUnknown);
  EXPECT_EQ(wide->pairs, 40);
}

TEST(Climb, SaysWhyABuildCannotBeHad) {
  const PairSource gone = [](const PairedQuestion&) -> Result<PairedAnswer> {
    return PairedAnswer{.failure = "it does not start"};
  };
  const auto result = climb(gone, {.series = "a"});
  EXPECT_EQ(result->verdict, PairedVerdict::kFailed);
  EXPECT_EQ(result->failure, "it does not start");
}

}  // namespace
}  // namespace opbench
