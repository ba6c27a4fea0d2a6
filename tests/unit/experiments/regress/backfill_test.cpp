#include "experiments/regress/backfill.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kQuietNights = 12;
constexpr int kRows = 9;

/// Twelve quiet nights, eight commits without one, and tonight; one row changed on the way.
class Backfills : public ::testing::Test {
 protected:
  Backfills() {
    request_.suite = {.name = "small", .budget_s = kRows, .engines = {"mine"}};
    for (int row = 0; row < kRows; ++row) {
      request_.suite.workloads.push_back(fmt::format("relu {}", row + 1));
    }
    request_.night = "tonight";
    for (int i = 0; i < kQuietNights; ++i) measured_.insert(i);
    measured_.insert(last_);
    request_.history = [this] { return Result<WatchedHistory>(history()); };
    request_.source = [](const WatchedHistory&) -> Result<PairSource> {
      return PairSource([](const PairedQuestion&) -> Result<PairedAnswer> {
        ADD_FAILURE() << "nothing is asked before the nights are there";
        return PairedAnswer{.failure = "no"};
      });
    };
    request_.measure = [this](const std::string& commit, const std::string& night,
                              const std::vector<SuiteCase>& cases) -> Result<NightOutcome> {
      const int number = std::stoi(commit.substr(1));
      asked_.push_back(commit);
      cases_ = cases;
      EXPECT_EQ(night, "tonight.fill-" + commit);
      if (number == broken_) return Error{ErrorCode::kEnvironment, "could not be built"};
      if (is_cut_) return NightOutcome{.open = 1};
      measured_.insert(number);
      return NightOutcome{.measured = 1};
    };
  }

  static std::string id_of(int row) { return fmt::format("mine/relu {}@1/model", row + 1); }

  WatchedHistory history() const {
    WatchedHistory watched;
    for (int row = 0; row < kRows; ++row) {
      watched.history.series.push_back({.id = id_of(row), .engine = "mine"});
      watched.subjects[id_of(row)] = {
          .suite_case = {fmt::format("relu {}", row + 1), true, "mine", 1}};
    }
    int before = -1;
    for (const int commit : measured_) {
      Night night{.index = static_cast<int>(watched.history.nights.size()),
                  .date = commit == last_ ? "tonight" : fmt::format("d{}", commit),
                  .is_filled = commit >= kQuietNights && commit != last_};
      for (int i = before + 1; i <= commit; ++i) {
        night.commits.push_back({fmt::format("c{}", i), i != document_});
      }
      before = commit;
      for (int row = 0; row < (night.is_filled ? 1 : kRows); ++row) {
        const double wave = 1 + 0.001 * (commit % 3);
        const double change = row == 0 && commit >= culprit_ ? 1.05 : 1;
        night.rows.push_back({row, fmt::format("{}", commit), {wave * change}});
      }
      watched.commits.push_back(fmt::format("c{}", commit));
      watched.history.nights.push_back(std::move(night));
    }
    return watched;
  }

  std::vector<std::string> run() {
    auto lines = fill_nights(request_);
    EXPECT_TRUE(lines) << to_text(lines.error());
    return lines ? *lines : std::vector<std::string>();
  }

  BackfillRequest request_;
  std::set<int> measured_;
  std::vector<std::string> asked_;
  std::vector<SuiteCase> cases_;
  int last_ = 20, culprit_ = 17, broken_ = -1, document_ = -1;
  bool is_cut_ = false;
};

TEST_F(Backfills, HalveTheRangeUntilItIsNarrow) {
  EXPECT_THAT(run(), ElementsAre("between d11 and tonight commit c15 was measured now, 1 case",
                                 "between d15 and tonight commit c17 was measured now, 1 case",
                                 "between d15 and d17 commit c16 was measured now, 1 case"));
  EXPECT_THAT(cases_, ElementsAre(SuiteCase{"relu 1", true, "mine", 1})) << "the suspected one";
}

TEST_F(Backfills, StayWithinTheirShareOfTheBudget) {
  request_.suite.workloads.resize(1);
  EXPECT_THAT(run(), ElementsAre("between d11 and tonight commit c15 was measured now, 1 case",
                                 "between d15 and tonight 4 commits were not measured: a third of "
                                 "tonight's budget is spent on nights in between"));
}

TEST_F(Backfills, LeaveTheRestToAnotherNight) {
  last_ = 40;
  culprit_ = 13;
  measured_ = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 40};
  const auto lines = run();
  EXPECT_THAT(asked_, ElementsAre("c25", "c18", "c14"));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[3], "between d11 and d14 2 commits were not measured: 3 commits a night at most");
}

TEST_F(Backfills, SayWhatCouldNotBeMeasured) {
  broken_ = 15;
  const auto lines = run();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0], "between d11 and tonight commit c15 was not measured: could not be built");
  EXPECT_THAT(asked_, ElementsAre("c15", "c16", "c18"));
  is_cut_ = true;
  measured_.erase(16);
  measured_.erase(18);
  EXPECT_EQ(fill_nights(request_).error().code, ErrorCode::kInterrupted);
}

TEST_F(Backfills, MeasureNothingWithoutReason) {
  request_.why_not = "--backfill off";
  EXPECT_THAT(run(), ElementsAre("between d11 and tonight 8 commits were not measured: "
                                 "--backfill off"));
  EXPECT_THAT(asked_, IsEmpty());
  culprit_ = 99;
  EXPECT_THAT(run(), IsEmpty()) << "nothing is suspected";
  culprit_ = 11;
  last_ = 12;
  measured_ = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12};
  document_ = 11;
  EXPECT_THAT(run(), IsEmpty()) << "documents change no time";
}

}  // namespace
}  // namespace opbench
