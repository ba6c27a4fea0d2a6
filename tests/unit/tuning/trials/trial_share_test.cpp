#include "tuning/trials/trial_share.h"

#include <gmock/gmock.h>

#include <cmath>

namespace opbench {
namespace {

using ::testing::Eq;
using ::testing::Gt;
using ::testing::Lt;
using ::testing::Optional;

SearchStanding standing(size_t unit, double best_s, std::vector<double> gains = {}) {
  return {.unit = unit,
          .best_s = best_s,
          .trials = 1 + kSlice * static_cast<int64_t>(gains.size()),
          .trial_s = 0.1,
          .gains = std::move(gains)};
}

TEST(NextSearch, BeginsEverySearchFirst) {
  EXPECT_THAT(next_search({standing(0, 1), {.unit = 1}, {.unit = 2}}), Optional(Eq(1)));
}

TEST(NextSearch, TakesWhereTheModelSpendsItsTime) {
  SearchStanding often = standing(1, 0.5);
  often.uses = 4;
  EXPECT_THAT(next_search({standing(0, 1), often}), Optional(Eq(1)));
  EXPECT_THAT(next_search({standing(0, 1), standing(1, 0.5)}), Optional(Eq(0)));
}

TEST(NextSearch, PrefersTrialsThatTakeLittle) {
  SearchStanding slow = standing(0, 1);
  slow.trial_s = 0.5;
  EXPECT_THAT(next_search({slow, standing(1, 0.5)}), Optional(Eq(1)));
}

TEST(NextSearch, GoesOnWhereTrialsBroughtSomething) {
  EXPECT_THAT(next_search({standing(0, 1, {0.01, 0}), standing(1, 1, {0.3, 0.2})}),
              Optional(Eq(1)));
}

TEST(NextSearch, LeavesASearchThatIsFarBehindTheBestOfItsUnit) {
  EXPECT_THAT(next_search({standing(0, 1), standing(0, 0.5, {0.1})}), Optional(Eq(1)));
}

TEST(NextSearch, LeavesASearchWithoutAConfigThatWorks) {
  const SearchStanding broken{.unit = 0, .trials = 1, .trial_s = 0.1};
  EXPECT_THAT(next_search({broken, standing(1, 1e-6)}), Optional(Eq(1)));
}

TEST(WinnersShare, LeavesTimeForTrialsHoweverManyUnitsThereAre) {
  std::vector<SearchStanding> searches;
  for (size_t unit = 0; unit < 20; ++unit) searches.push_back({.unit = unit});
  EXPECT_DOUBLE_EQ(winners_share(searches, 20), kWinnerSeconds) << "no unit has a winner so far";
  searches[3].best_s = searches[4].best_s = 1e-3;
  EXPECT_DOUBLE_EQ(winners_share(searches, 20), 3 * kWinnerSeconds);
  for (SearchStanding& search : searches) search.best_s = 1e-3;
  EXPECT_DOUBLE_EQ(winners_share(searches, 20), 10);
  EXPECT_DOUBLE_EQ(winners_share({}, 1), 0.5);
}

TEST(TrialsShare, IsAtLeastHalf) {
  EXPECT_DOUBLE_EQ(trials_share(10), 10 - kWinnerSeconds);
  EXPECT_DOUBLE_EQ(trials_share(1), 0.5);
}

TEST(NextSearch, EndsWhenAllAreFinished) {
  SearchStanding done = standing(0, 1);
  done.is_finished = true;
  EXPECT_THAT(next_search({done, done}), Eq(std::nullopt));
  EXPECT_THAT(next_search({}), Eq(std::nullopt));
}

TEST(NextSearch, EndsWhenNothingIsLeftToGain) {
  std::vector<SearchStanding> searches = {standing(0, 1), standing(1, 0.1)};
  int slices = 0;
  while (const auto chosen = next_search(searches)) {
    searches[*chosen].gains.push_back(0);
    ASSERT_THAT(++slices, Lt(100));
  }
  EXPECT_THAT(searches[0].gains.size(), Gt(searches[1].gains.size()));
}

}  // namespace
}  // namespace opbench
