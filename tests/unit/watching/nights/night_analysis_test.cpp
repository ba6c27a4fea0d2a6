#include "watching/nights/night_analysis.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/numbers/random.h"
#include "watching/nights/alert_list.h"

namespace opbench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int kOwnRows = 12;
constexpr int kControlRows = 12;

/// A small suite whose rows move as the test says: ln of their times by night.
struct SmallSuite {
  int nights = 40;
  std::function<double(int row, int night)> code = [](int, int) { return 0.0; };
  std::function<double(int row, int night)> machine = [](int, int) { return 0.0; };
  std::function<int(int row, int night)> build = [](int, int) { return 0; };
  std::function<bool(int row, int night)> is_there = [](int, int) { return true; };
  std::function<std::string(int night)> environment = [](int) { return "e0"; };

  History history() const {
    History history;
    for (int row = 0; row < kOwnRows + kControlRows; ++row) {
      const bool is_control = row >= kOwnRows;
      const std::string engine = is_control ? "control" : "own";
      history.series.push_back({.id = fmt::format("{}/m/u{}", engine, row),
                                .engine = engine,
                                .is_control = is_control,
                                .model = "m",
                                .chain = fmt::format("m/c{}", row / 3),
                                .unit = fmt::format("u{}", row),
                                .nodes = {fmt::format("n{}", row)}});
    }
    Random random(11);
    for (int night = 0; night < nights; ++night) {
      Night facts{.index = night,
                  .date = fmt::format("day {}", night),
                  .commits = {{fmt::format("c{}", night), true}},
                  .environment = environment(night)};
      for (int row = 0; row < kOwnRows + kControlRows; ++row) {
        const double log_ms =
            code(row, night) + machine(row, night) + 0.003 * static_cast<double>(random.normal());
        if (!is_there(row, night)) continue;
        std::vector<double> values;
        for (const double spread : {-0.002, 0.0, 0.002})
          values.push_back(std::exp(log_ms + spread));
        facts.rows.push_back({row, std::to_string(build(row, night)), std::move(values)});
      }
      history.nights.push_back(std::move(facts));
    }
    return history;
  }

  /// Pairs that see the code alone; of a chain the mean of its rows, which are as heavy.
  PairSource pairs() const {
    return [this](const PairedQuestion& question) -> Result<PairedAnswer> {
      double change = 0;
      int rows = 0;
      for (int row = 0; row < kOwnRows; ++row) {
        const bool is_it = question.chain.empty()
                               ? question.series == fmt::format("own/m/u{}", row)
                               : question.chain == fmt::format("own/m/c{}", row / 3);
        if (!is_it) continue;
        change += std::exp(code(row, question.new_night) - code(row, question.old_night));
        ++rows;
      }
      if (rows == 0) return PairedAnswer{.failure = "no such unit"};
      Random random(static_cast<uint64_t>(question.call) + 3);
      PairedAnswer answer;
      for (int i = 0; i < question.pairs; ++i) {
        answer.log_ratios.push_back(std::log(change / rows) +
                                    0.004 * static_cast<double>(random.normal()));
      }
      return answer;
    };
  }

  RegressReport report() const {
    const auto state = analyse_history(history(), {}, pairs());
    return report_of(state.value(), {}, true);
  }
};

/// Rows 0 to 2 are 6 % slower from night 30 on, and were rebuilt there.
SmallSuite slowed() {
  SmallSuite suite;
  suite.code = [](int row, int night) { return row < 3 && night >= 30 ? std::log(1.06) : 0.0; };
  suite.build = [](int row, int night) { return row < 3 && night >= 30 ? 1 : 0; };
  return suite;
}

TEST(NightAnalysis, ConfirmsAChangeInTheNightOfItsBuild) {
  const RegressReport report = slowed().report();
  ASSERT_THAT(report.alerts, SizeIs(1));
  const Alert& alert = report.alerts[0];
  EXPECT_EQ(alert.id, "own@29-30");
  EXPECT_EQ(alert.state, AlertState::kConfirmed);
  EXPECT_EQ(alert.confirmed_night, 30);
  EXPECT_TRUE(is_slower(alert));
  EXPECT_THAT(alert.rows, SizeIs(3));
  EXPECT_GT(alert.rows[0].pairs, 0);
  EXPECT_NEAR(alert.rows[0].log_ratio, std::log(1.06), 0.005);
  EXPECT_LT(alert.rows[0].low, alert.rows[0].log_ratio);
  ASSERT_THAT(alert.range.commits, SizeIs(1));
  EXPECT_EQ(alert.range.commits[0].id, "c30");
}

TEST(NightAnalysis, SettlesWhatStays) {
  SmallSuite suite = slowed();
  suite.nights = 45;
  const RegressReport report = suite.report();
  ASSERT_THAT(report.alerts, SizeIs(1));
  EXPECT_EQ(report.alerts[0].state, AlertState::kSettled);
  EXPECT_EQ(report.alerts[0].settled_night, 42);
}

TEST(NightAnalysis, OnlySuspectsWithoutPairs) {
  const auto state = analyse_history(slowed().history(), {}, {});
  const RegressReport report = report_of(state.value(), {}, false);
  ASSERT_FALSE(report.alerts.empty());
  for (const Alert& alert : report.alerts) {
    EXPECT_EQ(alert.state, AlertState::kSuspected);
    EXPECT_EQ(alert.why_suspected, "there are no paired runs");
  }
}

TEST(NightAnalysis, SaysWhyTheOldBuildIsGone) {
  const PairSource gone = [](const PairedQuestion&) -> Result<PairedAnswer> {
    return PairedAnswer{.failure = "the old build does not start"};
  };
  SmallSuite suite = slowed();
  suite.nights = 32;
  const auto state = analyse_history(suite.history(), {}, gone);
  const RegressReport report = report_of(state.value(), {}, true);
  ASSERT_FALSE(report.alerts.empty());
  EXPECT_EQ(report.alerts[0].state, AlertState::kSuspected);
  EXPECT_EQ(report.alerts[0].why_suspected, "the old build does not start");
}

TEST(NightAnalysis, AsksNothingWhereTheSameCodeRan) {
  SmallSuite suite = slowed();
  suite.build = [](int, int) { return 0; };
  const RegressReport report = suite.report();
  EXPECT_THAT(report.alerts, IsEmpty());
  EXPECT_EQ(report.paired_runs, 0);
}

TEST(NightAnalysis, TakesWhatMovesTheControlsForTheMachine) {
  SmallSuite suite;
  suite.machine = [](int, int night) { return night >= 30 ? 0.2 : 0.0; };
  suite.build = [](int row, int night) { return row < 6 && night >= 30 ? 1 : 0; };
  const auto state = analyse_history(suite.history(), {}, suite.pairs());
  EXPECT_NEAR(state->nights.back().common, 0.2, 0.01);
  EXPECT_THAT(report_of(*state, {}, true).alerts, IsEmpty());
}

TEST(NightAnalysis, SaysThatTheWholeMachineWasSlower) {
  SmallSuite suite;
  suite.nights = 31;
  const double slower = std::log(1.3);
  suite.machine = [&](int, int night) { return night == 30 ? slower : 0.0; };
  const RegressReport busy = suite.report();
  EXPECT_THAT(busy.alerts, IsEmpty());
  EXPECT_THAT(busy.notes, Contains(HasSubstr("the whole machine was 30 % slower than usual")));
  suite.nights = 30;
  EXPECT_THAT(suite.report().notes, Not(Contains(HasSubstr("the whole machine"))));
}

TEST(NightAnalysis, ClearsWhatPairedRunsDoNotSee) {
  SmallSuite suite;
  suite.machine = [](int row, int night) { return row == 0 && night >= 30 ? 0.1 : 0.0; };
  suite.build = [](int row, int night) { return row == 0 && night >= 30 ? 1 : 0; };
  const RegressReport report = suite.report();
  EXPECT_GT(report.paired_runs, 0);
  EXPECT_THAT(report.alerts, IsEmpty());
}

TEST(NightAnalysis, CarriesLevelsIntoANewEnvironment) {
  SmallSuite suite = slowed();
  suite.environment = [](int night) { return night >= 30 ? "e1" : "e0"; };
  suite.machine = [](int row, int night) {
    return night >= 30 ? (row < kOwnRows ? 0.08 : -0.05) : 0.0;
  };
  const RegressReport report = suite.report();
  ASSERT_THAT(report.alerts, SizeIs(1));
  EXPECT_THAT(report.alerts[0].rows, SizeIs(3));
  EXPECT_THAT(report.alerts[0].cause, HasSubstr("a new environment or method began at day 30"));
  EXPECT_THAT(report.notes, Contains(HasSubstr("new environment e1 (was e0)")));
}

TEST(NightAnalysis, TakesCostThatMovedForNoRegression) {
  SmallSuite suite;
  suite.code = [](int row, int night) {
    if (night < 30 || row > 1) return 0.0;
    return std::log(row == 0 ? 0.8 : 1.2);
  };
  suite.build = [](int row, int night) { return row < 2 && night >= 30 ? 1 : 0; };
  const RegressReport report = suite.report();
  EXPECT_THAT(report.alerts, IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("cost went to another unit of it")));
}

TEST(NightAnalysis, CallsMissingResultsWhatTheyAre) {
  SmallSuite suite;
  suite.is_there = [](int row, int night) { return row != 4 || night < 37; };
  RegressReport report = suite.report();
  ASSERT_THAT(report.alerts, SizeIs(1));
  EXPECT_EQ(report.alerts[0].kind, AlertKind::kMissing);
  EXPECT_EQ(report.alerts[0].state, AlertState::kConfirmed);
  suite.nights = 38;
  report = suite.report();
  ASSERT_THAT(report.alerts, SizeIs(1));
  EXPECT_EQ(report.alerts[0].state, AlertState::kSuspected);
}

TEST(NightAnalysis, CountsACutNightAsPartial) {
  SmallSuite suite;
  suite.is_there = [](int row, int night) { return night != 39 || row < 8; };
  const RegressReport report = suite.report();
  EXPECT_THAT(report.alerts, IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("a partial night, 8 of 24 results")));
}

TEST(NightAnalysis, FollowsAUnitThatFusionMerged) {
  History history = SmallSuite{}.history();
  Series merged = history.series[0];
  merged.id = "own/m/u0+u1";
  merged.nodes = {"n0", "n1"};
  history.series.push_back(merged);
  const auto place = static_cast<int>(history.series.size()) - 1;
  for (Night& night : history.nights) {
    if (night.index < 30) continue;
    std::erase_if(night.rows, [](const NightRow& row) { return row.series < 2; });
    night.rows.push_back({place, "f", {2.0, 2.001, 1.999}});
  }
  const auto state = analyse_history(history, {}, SmallSuite{}.pairs());
  const RegressReport report = report_of(*state, {}, true);
  EXPECT_THAT(report.alerts, IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("goes on where own/m/u0 and own/m/u1 ended")));
  EXPECT_THAT(state->rows[static_cast<size_t>(place)].points, SizeIs(40));
}

TEST(NightAnalysis, GoesOnFromAKeptState) {
  const SmallSuite suite = slowed();
  const History history = suite.history();
  WatchState state;
  for (const Night& night : history.nights) {
    WatchState copy = state;  // what is kept between two nights
    ASSERT_TRUE(analyse_night(copy, history.series, night, {}, suite.pairs()));
    state = std::move(copy);
  }
  EXPECT_EQ(report_of(state, {}, true), suite.report());
}

TEST(NightAnalysis, DoesNotLookAhead) {
  SmallSuite suite = slowed();
  suite.nights = 31;
  const RegressReport then = suite.report();
  suite.nights = 33;
  const RegressReport later = suite.report();
  ASSERT_THAT(then.alerts, SizeIs(1));
  EXPECT_EQ(then.alerts[0].confirmed_night, later.alerts[0].confirmed_night);
  EXPECT_EQ(then.alerts[0].rows[0].pairs, later.alerts[0].rows[0].pairs);
}

TEST(NightAnalysis, RefusesAnUnknownDetector) {
  const auto state = analyse_history(slowed().history(), {.detector = "hahs"}, {});
  ASSERT_FALSE(state);
  EXPECT_THAT(to_text(state.error()), HasSubstr("did you mean: hash?"));
}

TEST(NightAnalysis, DoesNotMissUnitsThatFusionRegrouped) {
  // Rows 0 and 1 end; rows 2 and 3 begin, of which one has a node of each.
  SmallSuite suite;
  suite.nights = 30;
  suite.is_there = [](int row, int night) { return row > 3 || (row < 2) == (night < 20); };
  History history = suite.history();
  history.series[0].nodes = {"conv1", "relu1"};
  history.series[1].nodes = {"conv2", "relu2"};
  history.series[2].nodes = {"conv1", "relu1", "conv2"};
  history.series[3].nodes = {"relu2"};
  auto state = analyse_history(history, {}, {});
  ASSERT_TRUE(state) << to_text(state.error());
  EXPECT_THAT(report_of(*state, {}, false).alerts, IsEmpty());
  EXPECT_THAT(
      state->notes,
      Contains(HasSubstr("own/m/u0 and own/m/u1 ended: other units cover their nodes now")));
  history.series[3].nodes = {"relu3"};
  state = analyse_history(history, {}, {});
  EXPECT_THAT(report_of(*state, {}, false).alerts, SizeIs(1)) << "a node is gone";
}

TEST(NightAnalysis, AsksNothingInNightsThatWereFilledIn) {
  SmallSuite suite;
  suite.nights = 24;
  suite.build = [](int row, int night) { return row == 0 && night >= 19 ? night : 0; };
  suite.code = [](int row, int night) { return row == 0 && night >= 20 ? 0.05 : 0.0; };
  History history = suite.history();
  for (int i = 19; i < 23; ++i) {
    history.nights[static_cast<size_t>(i)].is_filled = true;
    std::erase_if(history.nights[static_cast<size_t>(i)].rows,
                  [](const NightRow& row) { return row.series != 0; });
  }
  std::vector<PairedQuestion> asked;
  const PairSource source = [&](const PairedQuestion& question) -> Result<PairedAnswer> {
    asked.push_back(question);
    const bool is_change = question.old_night < 20 && question.new_night >= 20;
    return PairedAnswer{.log_ratios = std::vector<double>(20, is_change ? 0.05 : 0.0)};
  };
  const auto state = analyse_history(history, {}, source);
  ASSERT_TRUE(state) << to_text(state.error());
  ASSERT_FALSE(asked.empty()) << "four nights were filled in since, and it still is tonight's";
  for (const PairedQuestion& question : asked) EXPECT_EQ(question.night, 23);
  const RegressReport report = report_of(*state, {}, true);
  ASSERT_THAT(report.alerts, SizeIs(1)) << "rows that were not measured are not missing";
  EXPECT_EQ(report.alerts[0].range.good_night, 19);
  EXPECT_EQ(report.alerts[0].range.bad_night, 20);
}

}  // namespace
}  // namespace opbench
