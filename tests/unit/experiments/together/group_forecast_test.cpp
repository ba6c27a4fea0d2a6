#include "experiments/together/group_forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planning/plans/plan_check.h"

namespace opbench {
namespace {

UnitConfig group_forecast_config(double one_ms, std::optional<double> two_ms) {
  return {.kernel = {}, .one_ms = one_ms, .two_ms = two_ms};
}

constexpr std::array<double, 2> kNoSlowdown = {1, 1};

TEST(GroupForecast, AddsTimesOnTwoThreadsOneAfterTheOther) {
  const UnitConfig a = group_forecast_config(4, 2.5), b = group_forecast_config(6, 3);
  EXPECT_EQ(makespan_ms(Arrangement::kSequential, {&a, &b}, {2, 2}), 5.5);
}

TEST(GroupForecast, TakesTheLongerSideBySide) {
  const UnitConfig a = group_forecast_config(4, {}), b = group_forecast_config(6, {});
  EXPECT_EQ(makespan_ms(Arrangement::kSideBySide, {&a, &b}, kNoSlowdown), 6);
}

// The second is alone after 4 ms × 1.5; until then it has done 6/9 of its work.
TEST(GroupForecast, SlowsOnlyWhileBothRun) {
  const UnitConfig a = group_forecast_config(4, {}), b = group_forecast_config(6, {});
  EXPECT_DOUBLE_EQ(*makespan_ms(Arrangement::kSideBySide, {&a, &b}, {1.5, 1.5}), 6 + 6 * (3.0 / 9));
}

TEST(GroupForecast, LetsTheWorkerThatIsDoneHelp) {
  const UnitConfig a = group_forecast_config(4, 2), b = group_forecast_config(8, 4);
  EXPECT_DOUBLE_EQ(*makespan_ms(Arrangement::kHelpsSecond, {&a, &b}, kNoSlowdown), 4 + 0.5 * 4);
  // Help for the one that ends first never comes.
  EXPECT_DOUBLE_EQ(*makespan_ms(Arrangement::kHelpsFirst, {&a, &b}, kNoSlowdown), 8);
}

TEST(GroupForecast, IsNotKnownWithoutATimeOnTwoThreads) {
  const UnitConfig a = group_forecast_config(4, 2), b = group_forecast_config(8, {});
  EXPECT_FALSE(makespan_ms(Arrangement::kSequential, {&a, &b}, kNoSlowdown));
  EXPECT_FALSE(makespan_ms(Arrangement::kHelpsSecond, {&a, &b}, kNoSlowdown));
  EXPECT_TRUE(makespan_ms(Arrangement::kHelpsFirst, {&a, &b}, kNoSlowdown));
}

TEST(GroupForecast, PrefersFrugalConfigsWhereFastOnesHurtEachOther) {
  const std::array<std::vector<UnitConfig>, 2> lists = {
      std::vector{group_forecast_config(4, {}), group_forecast_config(5, {})},
      std::vector{group_forecast_config(4, {}), group_forecast_config(5, {})}};
  const auto slowdowns = [](size_t first, size_t second) {
    return first == 0 && second == 0 ? std::array<double, 2>{2, 2} : std::array<double, 2>{1, 1};
  };
  const auto all = group_forecasts(lists, false, slowdowns);
  ASSERT_EQ(all.size(), 4);  // no time on two threads: side by side only
  EXPECT_EQ(all.front(), (GroupForecast{Arrangement::kSideBySide, {0, 1}, 5}));
  EXPECT_EQ(all.back(), (GroupForecast{Arrangement::kSideBySide, {0, 0}, 8}));
}

TEST(GroupForecast, GivesEqualUnitsEqualConfigs) {
  const std::vector<UnitConfig> list = {group_forecast_config(4, {}), group_forecast_config(5, {})};
  const auto all = group_forecasts({list, list}, true, [](size_t, size_t) { return kNoSlowdown; });
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].configs, (std::array<size_t, 2>{0, 0}));
  EXPECT_EQ(all[1].configs, (std::array<size_t, 2>{1, 1}));
}

TEST(GroupForecast, FindsTheFastestConfigForEachNumberOfThreads) {
  const std::vector<UnitConfig> list = {group_forecast_config(4, 3), group_forecast_config(5, 2.5),
                                        group_forecast_config(6, {})};
  EXPECT_EQ(fastest_config(list, 1), 0);
  EXPECT_EQ(fastest_config(list, 2), 1);
}

TEST(Arrangement, HasAPlanThatPassesTheCheck) {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  timed.add({.name = "a"}, {.times_ms = {2, 1}});
  timed.add({.name = "b"}, {.times_ms = {2, 1}});
  for (const Arrangement one : all_arrangements()) {
    const auto checked = check_plan(timed, plan_of(one));
    EXPECT_TRUE(checked) << name_of(one) << ": " << (checked ? "" : to_text(checked.error()));
    EXPECT_EQ(parse_arrangement(name_of(one)), one);
  }
  EXPECT_FALSE(parse_arrangement("apart"));
}

}  // namespace
}  // namespace opbench
