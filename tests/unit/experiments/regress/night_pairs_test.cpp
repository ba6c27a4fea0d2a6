#include "experiments/regress/night_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/files/file.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Three nights of one row.
class PairsOfNights : public ::testing::Test {
 protected:
  PairsOfNights() {
    watched_.commits = {"c0", "c1", "c2"};
    for (int i = 0; i < 3; ++i) {
      watched_.history.nights.push_back({.index = i, .date = "d" + std::to_string(i)});
    }
    watched_.subjects["mine/m@1/relu 8"] = {.suite_case = {"m", false, "mine", 1},
                                            .unit = "relu 8"};
    watched_.chains["mine/m@1"] = {.subject = {.suite_case = {"m", false, "mine", 1}}};
  }

  NightPairs pairs() {
    return {.watched = watched_,
            .tonight = {.commit = "c2"},
            .base = {},
            .build = [this](const std::string& commit) -> Result<CommitBuild> {
              ++builds_;
              if (commit == broken_) {
                return Error{ErrorCode::kEnvironment, "could not be built"}.with("reason", "make");
              }
              return CommitBuild{.commit = commit};
            },
            .measure = [this](const PairedSubject& subject, const CommitBuild& before,
                              const CommitBuild& after, int count,
                              uint64_t) -> Result<std::vector<RowPairs>> {
              asked_ = before.commit + "-" + after.commit + " " + subject.unit;
              if (is_interrupted_) return Error{ErrorCode::kInterrupted, "interrupted"};
              const std::vector<double> ratios(static_cast<size_t>(count), 0.05);
              return std::vector<RowPairs>{{"", "", ratios}, {"relu 8", "8", ratios}};
            }};
  }

  static PairedQuestion question(int old_night, int new_night) {
    return {.series = "mine/m@1/relu 8",
            .night = 2,
            .old_night = old_night,
            .new_night = new_night,
            .pairs = 3};
  }

  WatchedHistory watched_;
  std::string asked_, broken_;
  int builds_ = 0;
  bool is_interrupted_ = false;
};

TEST_F(PairsOfNights, MeasureTheBuildsOfTheirCommits) {
  const PairSource source = pair_source_of(pairs());
  const auto answer = source(question(0, 2));
  ASSERT_TRUE(answer) << to_text(answer.error());
  EXPECT_EQ(answer->log_ratios, std::vector<double>(3, 0.05));
  EXPECT_EQ(asked_, "c0-c2 relu 8");
  EXPECT_EQ(builds_, 1) << "tonight's is there";
  ASSERT_TRUE(source(question(0, 1)));
  EXPECT_EQ(builds_, 2) << "each is had once";
  PairedQuestion chain{.chain = "mine/m@1", .night = 2, .old_night = 1, .new_night = 2, .pairs = 3};
  ASSERT_TRUE(source(chain));
  EXPECT_EQ(asked_, "c1-c2 ");
}

TEST_F(PairsOfNights, TakeTheBaseThatWasGiven) {
  NightPairs given = pairs();
  given.base = CommitBuild{.commit = "main"};
  ASSERT_TRUE(pair_source_of(given)(question(0, 2)));
  EXPECT_EQ(asked_, "main-c2 relu 8");
  EXPECT_EQ(builds_, 0);
}

TEST_F(PairsOfNights, SayWhyThereAreNone) {
  broken_ = "c0";
  const PairSource source = pair_source_of(pairs());
  const auto answer = source(question(0, 2));
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->log_ratios, IsEmpty());
  EXPECT_EQ(answer->failure, "could not be built; reason: make");
  ASSERT_TRUE(source(question(0, 2)));
  EXPECT_EQ(builds_, 1) << "it is not tried again";
  PairedQuestion unknown = question(1, 2);
  unknown.series = "mine/other";
  EXPECT_EQ(source(unknown)->failure, "tonight has no such row");
  is_interrupted_ = true;
  EXPECT_EQ(source(question(1, 2)).error().code, ErrorCode::kInterrupted);
}

TEST_F(PairsOfNights, AnswerOnceForANarrowerRange) {
  const PairedAnswer wide{.log_ratios = {0.1}};
  const PairSource source =
      answers_of({{question(0, 2), wide}}, [](const PairedQuestion&) -> Result<PairedAnswer> {
        return PairedAnswer{.failure = "not asked"};
      });
  EXPECT_EQ(*source(question(0, 2)), wide);
  PairedQuestion later = question(1, 2);
  later.night = 3;
  EXPECT_EQ(source(later)->failure, "not asked") << "of another night";
  EXPECT_EQ(*source(question(1, 2)), wide);
  EXPECT_EQ(source(question(0, 1))->failure, "not asked") << "one run has one answer";
  EXPECT_EQ(*source(question(1, 2)), wide) << "and keeps it";
}

TEST_F(PairsOfNights, SumTheUnitsOfAChain) {
  watched_.chains["mine/m@1/a..c"] = {
      .subject = {.suite_case = {"m", false, "mine", 1}, .is_whole = false},
      .units = {"relu 8", "relu 9"},
      .share = 0.5};
  std::vector<RowPairs> rows = {
      {"relu 8", "8", {0.1, 0.1, 0.1}, 2}, {"relu 9", "9", {-0.2, -0.2}, 1}, {"", "", {0.05}, 6}};
  NightPairs given = pairs();
  given.measure = [&](const PairedSubject& subject, const CommitBuild&, const CommitBuild&, int,
                      uint64_t) -> Result<std::vector<RowPairs>> {
    EXPECT_FALSE(subject.is_whole);
    return rows;
  };
  const PairSource source = pair_source_of(given);
  const PairedQuestion chain{
      .chain = "mine/m@1/a..c", .night = 2, .old_night = 0, .new_night = 2, .pairs = 3};
  const auto answer = source(chain);
  ASSERT_EQ(answer->log_ratios.size(), 2U) << "as many as all units have";
  EXPECT_NEAR(answer->log_ratios[0], std::log((2 * std::exp(0.1) + std::exp(-0.2)) / 3), 1e-12);
  rows.erase(rows.begin() + 1);
  EXPECT_NEAR(source(chain)->log_ratios.at(0), std::log1p(std::expm1(0.05) / 0.5), 1e-12)
      << "other units in one build: the model speaks for its half";
  watched_.chains["mine/m@1/a..c"].share = 0.01;
  EXPECT_EQ(pair_source_of(given)(chain)->failure, "the builds have other units in this chain");
}

TEST_F(PairsOfNights, AreKeptByTheNamesOfNights) {
  const auto folder = TemporaryFolder::make();
  const auto file = folder->path() / "watch" / "pairs.jsonl";
  EXPECT_THAT(read_kept_pairs(file, watched_).value(), IsEmpty());
  ASSERT_TRUE(keep_pairs(file, watched_, {question(0, 2), {.log_ratios = {0.1, 0.25}}}));
  ASSERT_TRUE(keep_pairs(file, watched_, {question(1, 2), {.failure = "no build"}}));
  auto runs = read_kept_pairs(file, watched_);
  ASSERT_TRUE(runs) << to_text(runs.error());
  ASSERT_EQ(runs->size(), 2U);
  EXPECT_EQ((*runs)[0].question, question(0, 2));
  EXPECT_EQ((*runs)[0].answer, (PairedAnswer{.log_ratios = {0.1, 0.25}}));
  EXPECT_EQ((*runs)[1].answer.failure, "no build");
  // A night that was measured later stands between: the others' numbers move.
  auto& nights = watched_.history.nights;
  nights.insert(nights.begin() + 1, {.index = 1, .date = "between"});
  nights[2].index = 2;
  nights[3].index = 3;
  EXPECT_EQ(read_kept_pairs(file, watched_)->front().question.new_night, 3);
  nights.erase(nights.begin());
  EXPECT_EQ(read_kept_pairs(file, watched_)->size(), 1U) << "its old night is gone";
  ASSERT_TRUE(append_file(file, "{\"cut\":"));
  EXPECT_EQ(read_kept_pairs(file, watched_)->size(), 1U);
  ASSERT_TRUE(append_file(file, "}\n"));
  EXPECT_THAT(to_text(read_kept_pairs(file, watched_).error()), HasSubstr("pairs.jsonl:3"));
}

}  // namespace
}  // namespace opbench
