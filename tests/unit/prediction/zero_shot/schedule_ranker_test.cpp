#include "prediction/zero_shot/schedule_ranker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "dense_tasks.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kShapes[][3] = {{16, 64, 64}, {32, 128, 64}, {64, 64, 256}, {16, 256, 128}};

/// Learns all shapes but the first.
ScheduleRanker ranker_of(uint64_t seed, uint64_t disturbed_of = 0) {
  ScheduleRanker ranker;
  for (const auto& [m, k, n] : kShapes) {
    if (m == 16 && k == 64) continue;
    const Task task = dense_task(m, k, n);
    const ConfigSpace space = space_of(task).value();
    ranker.add(task, space,
               synthetic_trials(task, space, seed + static_cast<uint64_t>(n), 120, disturbed_of));
  }
  return ranker;
}

/// How much slower than the best the first `count` choices for the unseen shape are.
double regret(const ScheduleRanker& ranker, size_t count) {
  const Task task = dense_task(16, 64, 64);
  const ConfigSpace space = space_of(task).value();
  const std::vector<uint64_t> configs = ranked_configs(size_of(space).value(), 100'000, 0);
  const auto scores = ranker.scores(task, space, configs);
  EXPECT_TRUE(scores) << to_text(scores.error());
  const std::vector<uint64_t> order = by_score(configs, *scores);
  double best = 1, chosen = 1;
  for (size_t i = 0; i < order.size(); ++i) {
    const double time = synthetic_time(task, space, order[i]);
    best = std::min(best, time);
    if (i < count) chosen = std::min(chosen, time);
  }
  return chosen / best - 1;
}

TEST(ScheduleRanker, ChoosesFastConfigsOfAnUnseenShape) {
  ScheduleRanker ranker = ranker_of(1);
  ASSERT_TRUE(ranker.fit());
  EXPECT_LT(regret(ranker, 1), 0.25);
  EXPECT_LT(regret(ranker, 5), 0.05);
}

TEST(ScheduleRanker, LeavesOutDisturbedTrials) {
  ScheduleRanker ranker = ranker_of(2, 6);
  ASSERT_TRUE(ranker.fit());
  EXPECT_LT(regret(ranker, 5), 0.25);
}

TEST(ScheduleRanker, NeedsTrialsOfSeveralTasks) {
  ScheduleRanker ranker;
  EXPECT_EQ(ranker.fit().error().code, ErrorCode::kNoMatch);
  const Task task = dense_task(16, 64, 64);
  const ConfigSpace space = space_of(task).value();
  ranker.add(task, space, synthetic_trials(task, space, 1, 200));
  const auto fitted = ranker.fit();
  ASSERT_FALSE(fitted);
  EXPECT_THAT(fitted.error().message, ::testing::HasSubstr("of 1 other tasks teach too little"));
}

TEST(ScheduleRanker, CountsConfigsOnceAndTasksThatWork) {
  ScheduleRanker ranker;
  const Task task = dense_task(16, 64, 64);
  const ConfigSpace space = space_of(task).value();
  const std::vector<RankedTrial> failures = {{0, 0}, {1, 0}};
  ranker.add(task, space, failures);
  EXPECT_EQ(ranker.tasks(), 0U);
  const std::vector<RankedTrial> trials = {{0, 2e-3}, {0, 1e-3}, {1, 0}, {2, 3e-3}};
  ranker.add(task, space, trials);
  EXPECT_EQ(ranker.tasks(), 1U);
  EXPECT_EQ(ranker.trials(), 3U);
}

TEST(RankedConfigs, AreAllOfASmallSpaceAndSomeOfALargeOne) {
  EXPECT_THAT(ranked_configs(3, 10, 0), ElementsAre(0, 1, 2));
  const auto some = ranked_configs(1'000'000, 50, 7);
  EXPECT_LE(some.size(), 50U);
  EXPECT_GT(some.size(), 40U);
  EXPECT_TRUE(std::ranges::is_sorted(some));
  EXPECT_EQ(some, ranked_configs(1'000'000, 50, 7));
}

TEST(ByScore, PutsTheHighestFirst) {
  const std::vector<uint64_t> configs = {4, 5, 6, 7};
  const std::vector<float> scores = {0.1F, 0.9F, 0.1F, 0.5F};
  EXPECT_THAT(by_score(configs, scores), ElementsAre(5, 7, 4, 6));
}

}  // namespace
}  // namespace opbench
