#include "experiments/analysis/turning_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/numbers/random.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// Rows of these keys with a time each.
SweptTimes made(const std::vector<std::string>& names,
                const std::vector<std::pair<std::vector<double>, double>>& rows) {
  SweptTimes times{.source = "made", .time_name = "time"};
  for (const std::string& name : names) times.keys.push_back({name, {}, {}});
  for (const auto& [values, time] : rows) {
    for (size_t i = 0; i < names.size(); ++i) {
      times.keys[i].numbers.push_back(values[i]);
      times.keys[i].texts.push_back(fmt::format("{:g}", values[i]));
    }
    times.times.push_back(time);
  }
  return times;
}

SweptTimes threads_and_batches() {
  std::vector<std::pair<std::vector<double>, double>> rows;
  for (const double batch : {1.0, 8.0}) {
    for (double n = 1; n <= 16; ++n) rows.push_back({{n, batch}, batch * (1 / std::min(n, 6.0))});
  }
  return made({"threads", "batch"}, rows);
}

TEST(TurningReport, MakesASeriesForEachOtherChoice) {
  const TurningReport report = turning_report(threads_and_batches(), {.axis = "threads"}).value();
  ASSERT_EQ(report.series.size(), 2U);
  EXPECT_EQ(report.series[0].name, "batch=1");
  EXPECT_EQ(report.series[1].name, "batch=8");
  for (const TurningSeries& series : report.series) EXPECT_EQ(series.point->enough.x, 6);
  EXPECT_FALSE(report.is_per_item);
}

TEST(TurningReport, DividesByAnAxisOfItems) {
  std::vector<std::pair<std::vector<double>, double>> rows;
  for (double n = 1; n <= 64; n *= 2) rows.push_back({{n}, 10 + n});
  const SweptTimes times = made({"batch"}, rows);
  const TurningReport by_axis = turning_report(times, {}).value();
  EXPECT_TRUE(by_axis.is_per_item);
  EXPECT_EQ(by_axis.series[0].point->best.x, 64);
  const TurningReport by_time = turning_report(times, {.measure = TurningMeasure::kTime}).value();
  EXPECT_EQ(by_time.series[0].point->best.x, 1);
}

TEST(TurningReport, TakesOnlyTheValuesAskedFor) {
  const TurningReport report =
      turning_report(threads_and_batches(),
                     {.axis = "threads", .values = {"1", "2", "3", "4", "20"}})
          .value();
  EXPECT_EQ(report.series[0].curve.size(), 4U);
  EXPECT_EQ(report.series[0].point->best.x, 4);
  EXPECT_THAT(report.notes.at(0), HasSubstr("1 of 5 values of threads"));
}

TEST(TurningReport, GivesTheEffectsOfAGrid) {
  Random random(3);
  std::vector<std::pair<std::vector<double>, double>> rows;
  for (double a = 0; a < 10; ++a) {
    for (double b = 0; b < 10; ++b) {
      rows.push_back({{a, b}, (a < 4 ? 2.0 : 1.0) * std::exp(0.01 * random.normal())});
    }
  }
  const TurningReport report = turning_report(made({"act", "idle"}, rows), {}).value();
  ASSERT_EQ(report.effects.size(), 2U);
  EXPECT_EQ(report.effects[0].axis, "act");
  EXPECT_GT(report.effects[0].share, 0.9);
  EXPECT_GT(report.effects[0].gain_share, 0.9);
  EXPECT_EQ(report.effects[0].splits.at(0).threshold, 3.5);
  EXPECT_FALSE(report.effects[1].has_effect);
  ASSERT_EQ(report.series.size(), 1U);
  EXPECT_EQ(report.series[0].point->enough.x, 4);
  EXPECT_FALSE(report.is_surrogate);
}

TEST(TurningReport, UsesTreesWhereTheGridHasHoles) {
  Random random(3);
  std::vector<std::pair<std::vector<double>, double>> rows;
  for (int i = 0; i < 150; ++i) {
    const auto a = static_cast<double>(1 + random.below(12));
    const auto b = static_cast<double>(1 + random.below(12));
    const auto c = static_cast<double>(1 + random.below(12));
    rows.push_back({{a, b, c}, (1 + 3 / std::min(a, 6.0)) * (c < 5 ? 1.5 : 1.0)});
  }
  const TurningReport report = turning_report(made({"a", "b", "c"}, rows), {}).value();
  EXPECT_TRUE(report.is_surrogate);
  ASSERT_EQ(report.series.size(), 2U);
  EXPECT_EQ(report.effects.back().axis, "b");
  for (const TurningSeries& series : report.series) {
    EXPECT_NEAR(series.point->enough.x, series.axis == "a" ? 6 : 5, 1) << series.axis;
  }
}

TEST(TurningReport, LooksWithFewProbes) {
  std::vector<std::pair<std::vector<double>, double>> rows;
  for (double n = 1; n <= 64; ++n) rows.push_back({{n}, 1 / std::min(n, 20.0)});
  const TurningReport report = turning_report(made({"threads"}, rows), {.probes = 8}).value();
  EXPECT_EQ(report.series[0].curve.size(), 8U);
  EXPECT_EQ(report.series[0].probe_order.size(), 8U);
  EXPECT_NEAR(report.series[0].regret.value(), 0, 1e-12);
}

TEST(TurningReport, RefusesWhatHasNoTurningPoint) {
  const auto two = turning_report(made({"threads"}, {{{1}, 2}, {{2}, 1}}), {});
  EXPECT_THAT(two.error().message, HasSubstr("a sweep of 2 values has no turning point"));
  const SweptTimes constant = made({"threads"}, {{{8}, 2}, {{8}, 1}, {{8}, 3}});
  EXPECT_THAT(turning_report(constant, {}).error().message, HasSubstr("no column of numbers"));
  EXPECT_THAT(turning_report(constant, {.axis = "threads"}).error().message,
              HasSubstr("\"threads\" is not varied: it is 8 in all 3 rows"));
  EXPECT_THAT(turning_report(constant, {.axis = "treads"}).error().message,
              HasSubstr("unknown column \"treads\""));
}

TEST(TurningReport, FindsTheLevelsOfAWorkingSet) {
  std::vector<std::pair<std::vector<double>, double>> rows;
  for (double bytes = 4096; bytes < 4e6; bytes *= 1.1) {
    rows.push_back({{bytes}, bytes * (bytes < 33000 ? 1 : bytes < 1e6 ? 2 : 4)});
  }
  const TurningReport report = turning_report(made({"bytes"}, rows), {}).value();
  ASSERT_EQ(report.series[0].rises.size(), 2U);
  EXPECT_NEAR(report.series[0].rises[0].at, 33000, 4000);
  EXPECT_NEAR(report.series[0].rises[1].at, 1e6, 1.2e5);
}

TEST(TurningReport, RefusesASweepWhosePointsAllFailed) {
  SweptTimes times = threads_and_batches();
  times.times.clear();
  const auto report = turning_report(times, {.axis = "threads"});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "no point has a time");
}

}  // namespace
}  // namespace opbench
