#include "experiments/regress/bisect_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/files/file.h"
#include "base/numbers/random.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// Plays builds and machine: the unit of one commit on is slower.
class PlayedMachine : public ::testing::Test {
 protected:
  PlayedMachine() : folder_(std::move(*TemporaryFolder::make())) {
    request_.suite = {.name = "small",
                      .models = {"resnet-18"},
                      .workloads = {"softmax 4x8"},
                      .engines = {"mine", "onnxruntime"}};
    request_.recipe = {.command = "make", .engines = {{"mine", "mine"}}};
    for (int i = 0; i <= 16; ++i) {
      request_.commits.push_back({"c" + std::to_string(i), "subject " + std::to_string(i)});
    }
    request_.file = folder_.path() / "kept" / "state.json";
  }

  int number_of(const std::string& commit) const { return std::stoi(commit.substr(1)); }

  BisectSteps steps() {
    return {.build = [this](const std::string& commit) -> Result<CommitBuild> {
              ++builds_;
              if (broken_.contains(number_of(commit))) {
                return Error{ErrorCode::kEnvironment, "could not be built"}.with("reason", "make");
              }
              return CommitBuild{.commit = commit, .engines = {{"mine", {"/mine"}, {}}}};
            },
            .measure =
                [this](const PairedSubject& subject, const CommitBuild& before,
                       const CommitBuild& after, int pairs, uint64_t) {
                  return measure(subject, number_of(before.commit), number_of(after.commit), pairs);
                }};
  }

  Result<std::vector<RowPairs>> measure(const PairedSubject& subject, int before, int after,
                                        int pairs) {
    ++measured_;
    if (measured_ == stop_at_) return Error{ErrorCode::kInterrupted, "killed"};
    const auto pairs_of = [&](double effect) {
      const double centre = effect * ((after >= culprit_ ? 1 : 0) - (before >= culprit_ ? 1 : 0));
      std::vector<double> ratios;
      for (int i = 0; i < pairs; ++i) ratios.push_back(centre + 0.005 * random_.normal());
      return ratios;
    };
    std::vector<RowPairs> rows;
    const bool is_model = !subject.suite_case.is_workload;
    if (is_model && subject.unit != "relu 8") rows.push_back({"", "", pairs_of(0.002)});
    if (is_model) rows.push_back({"relu 8", "relu 8", pairs_of(effect_)});
    if (!is_model) rows.push_back({"", "", pairs_of(0.0)});
    return rows;
  }

  Result<BisectProgress> run() { return run_bisect(request_, steps(), {}); }

  TemporaryFolder folder_;
  BisectRequest request_;
  Random random_{3};
  int culprit_ = 11, builds_ = 0, measured_ = 0, stop_at_ = -1;
  double effect_ = 0.05;
  std::set<int> broken_;
};

TEST_F(PlayedMachine, FindsTheCommitOfTheRowThatChangedMost) {
  const auto progress = run();
  ASSERT_TRUE(progress) << to_text(progress.error());
  EXPECT_EQ(progress->target->unit, "relu 8");
  EXPECT_EQ(progress->target->suite_case.subject, "resnet-18");
  EXPECT_EQ(progress->target->suite_case.engine, "mine") << "the others are not built";
  const BisectAnswer answer = answer_of(progress->state);
  EXPECT_EQ(answer.outcome, BisectOutcome::kFound);
  EXPECT_EQ(answer.first_new, 11U);
  EXPECT_LE(builds_, 7);
  EXPECT_NEAR(answer.effect->value, 0.05, 0.005);
}

TEST_F(PlayedMachine, GoesOnWhereItWasKilled) {
  BisectProgress whole;
  int steps = 0;
  for (stop_at_ = 1;; stop_at_ = measured_ + 2, ++steps) {
    const auto progress = run();
    if (progress) {
      whole = *progress;
      break;
    }
    ASSERT_EQ(progress.error().code, ErrorCode::kInterrupted);
    ASSERT_LT(steps, 100);
  }
  EXPECT_GT(steps, 3);
  EXPECT_EQ(answer_of(whole.state).first_new, 11U);
  // Nothing is measured again, and nothing twice.
  stop_at_ = -1;
  const int before = measured_;
  const auto again = run();
  ASSERT_TRUE(again);
  EXPECT_EQ(measured_, before);
  EXPECT_EQ(*again, whole);
}

TEST_F(PlayedMachine, BeginsAnewForAnotherQuestion) {
  ASSERT_TRUE(run());
  const int before = measured_;
  request_.only = "softmax";
  effect_ = 0;
  const auto other = run();
  ASSERT_TRUE(other) << to_text(other.error());
  EXPECT_GT(measured_, before);
  EXPECT_EQ(other->target->suite_case.subject, "softmax 4x8");
  EXPECT_EQ(answer_of(other->state).outcome, BisectOutcome::kNoEffect);
  // A file that was damaged counts as none.
  ASSERT_TRUE(write_file(request_.file, "{\"schema\":"));
  EXPECT_TRUE(run());
}

TEST_F(PlayedMachine, LeavesOutCommitsOfDocumentsAlone) {
  for (const size_t at : {3U, 4U, 8U, 12U, 15U, 16U}) request_.commits[at].is_code = false;
  const auto progress = run();
  ASSERT_TRUE(progress) << to_text(progress.error());
  EXPECT_EQ(progress->state.commits.size(), 11U);
  EXPECT_EQ(progress->state.commits.back().id, "c14");
  EXPECT_EQ(progress->state.commits[answer_of(progress->state).first_new].id, "c11");
  for (GitCommit& commit : request_.commits) commit.is_code = false;
  request_.is_anew = true;
  EXPECT_EQ(run().error().code, ErrorCode::kNoMatch);
}

TEST_F(PlayedMachine, SkipsWhatDoesNotBuild) {
  broken_ = {8, 10, 11};
  const auto progress = run();
  ASSERT_TRUE(progress) << to_text(progress.error());
  const BisectAnswer answer = answer_of(progress->state);
  EXPECT_EQ(answer.outcome, BisectOutcome::kRange);
  EXPECT_EQ(answer.last_old, 9U);
  EXPECT_EQ(answer.first_new, 12U);
  EXPECT_THAT(progress->state.commits[8].skipped, HasSubstr("could not be built; reason: make"));
}

TEST_F(PlayedMachine, EndsWhereAnEndDoesNotBuild) {
  broken_ = {16};
  const auto progress = run();
  ASSERT_FALSE(progress);
  EXPECT_EQ(progress.error().code, ErrorCode::kEnvironment);
}

TEST_F(PlayedMachine, RefusesWhatItCannotBisect) {
  request_.only = "gemm";
  EXPECT_EQ(run().error().code, ErrorCode::kNoMatch);
  request_.only.clear();
  request_.suite.engines = {"onnxruntime"};
  EXPECT_THAT(to_text(run().error()), HasSubstr("no case of the suite runs an engine"));
}

TEST(BisectProgress, ComesBackFromItsText) {
  BisectProgress progress{.question = "q",
                          .looks = {{"resnet-18 · mine · 2 threads", "relu 8", "8", 7.25}},
                          .target = BisectTarget{{"resnet-18", false, "mine", 2}, "relu 8", "8"}};
  progress.state.commits = {{.id = "a"}, {.id = "b", .log_ratios = {0.1, 0.25}}};
  EXPECT_EQ(read_progress(progress_text(progress)).value(), progress);
  progress.target.reset();
  EXPECT_EQ(read_progress(progress_text(progress)).value(), progress);
  EXPECT_FALSE(read_progress("{}"));
  EXPECT_FALSE(read_progress("[1]"));
}

}  // namespace
}  // namespace opbench
