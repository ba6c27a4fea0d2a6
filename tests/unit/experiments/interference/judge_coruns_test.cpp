#include "experiments/interference/judge_coruns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiments/interference/neighbour_levels.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

using KindOfJudgeCoruns = CorunParty::Kind;

std::vector<SlowdownRound> rounds_of(double first, double second) {
  return std::vector<SlowdownRound>(6, {{1e-3, 2e-3}, {first * 1e-3, second * 2e-3}});
}

InterferenceResult two_units() {
  InterferenceResult result;
  result.units = {{.key = "A", .bytes = 30e6}, {.key = "B"}};
  result.levels = neighbour_levels(Topology(), 0);
  result.peak_gbytes_per_s = 40;
  return result;
}

/// A loses by what presses on it, B presses and loses nothing; levels press 1.1, 1.2, …
std::vector<CorunItem> measured_items(const InterferenceResult& result) {
  auto items = corun_items(result.units.size(), result.levels.size(), probe_of(result.levels),
                           result.has_pairs);
  for (CorunItem& item : items) {
    const CorunParty& first = item.parties[0];
    const CorunParty& second = item.parties[1];
    const double level = 1.1 + 0.1 * static_cast<double>(second.index);
    item.visits = 1;
    item.rounds = rounds_of(1, 1);
    if (first.kind == KindOfJudgeCoruns::kLevel) item.rounds = rounds_of(level, 1);
    if (first.kind == KindOfJudgeCoruns::kUnit && second.kind == KindOfJudgeCoruns::kLevel) {
      item.rounds = first.index == 0 ? rounds_of(level, 1) : rounds_of(1, 1.3);
    }
    if (first.kind == KindOfJudgeCoruns::kUnit && second.kind == KindOfJudgeCoruns::kUnit &&
        first.index != second.index) {
      item.rounds = rounds_of(1.3, 1);
    }
  }
  return items;
}

TEST(JudgeCoruns, ReadsForecastsOffTheCurveAtTheOthersPressure) {
  InterferenceResult result = two_units();
  judge_coruns(measured_items(result), 1, result);
  EXPECT_DOUBLE_EQ(result.control.slowdowns[0]->ratio, 1);
  EXPECT_DOUBLE_EQ(result.pressure_of(0)->ratio, 1);
  EXPECT_DOUBLE_EQ(result.pressure_of(1)->ratio, 1.3);
  ASSERT_EQ(result.pairs.size(), 3U);
  const InterferencePair& pair = result.pairs[1];
  EXPECT_EQ(pair.first, 0U);
  EXPECT_EQ(pair.second, 1U);
  ASSERT_TRUE(pair.forecasts);
  EXPECT_NEAR((*pair.forecasts)[0].curve, 1.3, 1e-9);  // A beside B
  EXPECT_NEAR((*pair.forecasts)[1].curve, 1, 1e-9);    // B beside A
  EXPECT_FALSE((*pair.forecasts)[0].bandwidth_share);  // the bytes of B are not known
  EXPECT_DOUBLE_EQ(*(*result.pairs[0].forecasts)[0].bandwidth_share, 1.5);  // A beside A
  EXPECT_EQ(result.judged, 6U);
  EXPECT_EQ(result.errors.front().recall(), 1);
  EXPECT_EQ(result.errors.front().precision(), 1);
  EXPECT_NEAR(result.units[0].alone_ms, 1, 1e-9);
}

TEST(JudgeCoruns, CountsRoundsAndSaysWhyAPairHasNoSlowDown) {
  InterferenceResult result = two_units();
  auto items = measured_items(result);
  items.back().rounds.resize(2);
  items.back().dropped = {{"preempted", 7}, {"late", 1}};
  items[items.size() - 2].rounds.clear();
  items[items.size() - 2].visits = 0;
  items[items.size() - 3].rounds.clear();
  items[items.size() - 3].failure = Failure{FailureKind::kRunError, "killed by signal 11"};
  judge_coruns(items, 1, result);
  EXPECT_EQ(result.dropped, 8);
  EXPECT_EQ(result.kept, std::ssize(items) * 6 - 4 - 12);
  EXPECT_EQ(result.pairs[2].corun.reason, "2 of 10 rounds were undisturbed, 4 are needed");
  EXPECT_EQ(result.pairs[1].corun.reason, "the budget ended before it");
  EXPECT_THAT(result.pairs[0].corun.reason, HasSubstr("signal 11"));
  EXPECT_TRUE(result.errors.empty());
}

TEST(RefuseNothing, SaysWhyNotOneRoundWasKept) {
  InterferenceResult result = two_units();
  EXPECT_EQ(refuse_nothing(result).error().code, ErrorCode::kTimeBudget);
  auto items = measured_items(result);
  for (CorunItem& item : items) {
    item.rounds.clear();
    item.dropped = {{"preempted", 3}, {"late", 1}};
  }
  judge_coruns(items, 1, result);
  const Error error = refuse_nothing(result).error();
  EXPECT_EQ(error.code, ErrorCode::kEnvironment);
  EXPECT_THAT(error.message, HasSubstr(std::to_string(4 * items.size()) + " rounds"));
  EXPECT_THAT(to_text(error), HasSubstr("preempted: " + std::to_string(3 * items.size())));
  result.failures = {"A beside B: run_error: killed"};
  EXPECT_EQ(refuse_nothing(result).error().code, ErrorCode::kPartial);
  result.kept = 1;
  EXPECT_TRUE(refuse_nothing(result));
}

TEST(JudgeCoruns, LeavesForecastsOutWithoutPairs) {
  InterferenceResult result = two_units();
  result.has_pairs = false;
  judge_coruns(measured_items(result), 1, result);
  EXPECT_TRUE(result.pairs.empty());
  EXPECT_TRUE(result.errors.empty());
  EXPECT_DOUBLE_EQ(result.pressure_of(1)->ratio, 1.3);
}

}  // namespace
}  // namespace opbench
