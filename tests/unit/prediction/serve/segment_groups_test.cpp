#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "prediction/serve/group_errors.h"
#include "synthetic_groups.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

GroupPart part(double solo_ms) { return {.solo_ms = solo_ms}; }

TEST(EndsOfGroup, SlowsPartsDownOnlyWhileOthersRun) {
  const auto by_others = [](const GroupPart&, std::span<const GroupPart> others) {
    return 1 + static_cast<double>(others.size());
  };
  EXPECT_THAT(ends_of_group({part(1), part(3)}, by_others), ElementsAre(2, 4));
  // 3 ms at a third, 2 ms at a half, then alone.
  EXPECT_THAT(ends_of_group({part(1), part(2), part(4)}, by_others), ElementsAre(3, 5, 7));
  EXPECT_THAT(ends_of_group({}, by_others), ElementsAre());
  const auto never = [](const GroupPart&, std::span<const GroupPart>) { return 0.5; };
  EXPECT_EQ(group_ms({part(1), part(3)}, never), 3) << "nobody gets faster beside others";
}

TEST(SlowDownsOfPair, AreThoseThatTheEndsCameFrom) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const std::vector<GroupPart> parts = {part(0.1 + random.uniform()),
                                          part(0.1 + random.uniform())};
    const double factors[] = {1 + random.uniform(), 1 + random.uniform()};
    const auto slow_down = [&](const GroupPart& own, std::span<const GroupPart>) {
      return factors[own.solo_ms == parts[0].solo_ms ? 0 : 1];
    };
    const auto ends = ends_of_group(parts, slow_down);
    const auto same = ends_of_pair(parts, factors);
    EXPECT_NEAR(same[0], ends[0], 1e-9);
    EXPECT_NEAR(same[1], ends[1], 1e-9);
    const auto found = slow_downs_of_pair(parts, ends);
    EXPECT_NEAR(found[0], factors[0], 1e-9);
    EXPECT_NEAR(found[1], factors[1], 1e-9);
  }
}

TEST(PlainGroupMethods, AreMaxSumCurveAndBandwidthShare) {
  GroupPart a{.solo_ms = 2, .memory_bytes = 12}, b{.solo_ms = 4, .memory_bytes = 24};
  a.sensitivity = {{1.5, 2}};
  b.pressure = 1.5;
  const auto methods = plain_group_methods(8);
  ASSERT_EQ(methods.size(), 4u);
  EXPECT_DOUBLE_EQ(methods[0].predict({a, b}), 4);
  EXPECT_DOUBLE_EQ(methods[1].predict({a, b}), 6);
  // a takes 4 ms beside b, whose sensitivity is not known.
  EXPECT_DOUBLE_EQ(methods[2].predict({a, b}), 4);
  EXPECT_DOUBLE_EQ(curve_slow_down(a, std::vector{b}), 2);
  // Together they want 12 of 8: both take 1.5 times as long until a ends at 3; b has 2 left.
  EXPECT_DOUBLE_EQ(methods[3].predict({a, b}), 5);
  EXPECT_EQ(plain_group_methods(0).size(), 3u);
}

TEST(BytesFromMemory, AreThoseThatTheLastCacheDoesNotHold) {
  EXPECT_DOUBLE_EQ(bytes_from_memory(10, 16e6, 32e6), 0);
  EXPECT_DOUBLE_EQ(bytes_from_memory(10, 24e6, 32e6), 5);
  EXPECT_DOUBLE_EQ(bytes_from_memory(10, 64e6, 32e6), 10);
  EXPECT_DOUBLE_EQ(bytes_from_memory(10, 1, 0), 10) << "an unknown cache holds nothing";
}

TEST(SlowDownFeatures, DoNotDependOnTheOrderOfOthers) {
  const auto pool = SyntheticMachine::pool(3, 1);
  EXPECT_EQ(slow_down_features(pool[0], std::vector{pool[1], pool[2]}),
            slow_down_features(pool[0], std::vector{pool[2], pool[1]}));
}

const GroupErrors& of(const GroupJudgement& judgement, const char* method) {
  return *std::ranges::find(judgement.errors, method, &GroupErrors::method);
}

TEST(JudgeGroupMethods, TreesPredictUnseenPairsOfAKnownMachine) {
  constexpr double kNoise = 0.02;
  const auto pool = SyntheticMachine::pool(30, 2);
  const auto pairs = SyntheticMachine::groups(pool, 400, 2, kNoise, 3);
  const auto judged = judge_group_methods(pairs, SyntheticMachine::kPeak);
  ASSERT_TRUE(judged) << to_text(judged.error());
  EXPECT_NEAR(judged->noise_floor, kNoise, 1e-9);
  const GroupErrors& trees = of(*judged, "trees");
  EXPECT_EQ(trees.groups, pairs.size());
  EXPECT_LE(trees.mean_error, std::max(0.08, 1.5 * kNoise));
  EXPECT_LT(trees.mean_error, of(*judged, "sum").mean_error);
  EXPECT_LT(trees.mean_error, of(*judged, "max").mean_error);
  EXPECT_LT(trees.mean_error, of(*judged, "linear").mean_error);
  ASSERT_GT(trees.slowed_groups, pairs.size() / 5) << "the machine is too kind to say anything";
  EXPECT_LT(trees.slowed_error, 0.5 * of(*judged, "max").slowed_error);
}

TEST(JudgeOnUnseenSegments, LearnsFromNoGroupThatSharesASegment) {
  const auto pool = SyntheticMachine::pool(30, 2);
  const auto pairs = SyntheticMachine::groups(pool, 40, 2, 0.02, 3);
  const auto judged = judge_on_unseen_segments(pairs, SyntheticMachine::kPeak);
  ASSERT_TRUE(judged) << to_text(judged.error());
  EXPECT_EQ(of(*judged, "trees").groups, pairs.size());
  // What shares a segment with the only other group has nothing to learn from.
  auto two = std::vector(pairs.begin(), pairs.begin() + 2);
  two[0].segments = two[1].segments = {0, 1};
  EXPECT_THAT(judge_on_unseen_segments(two, 0).error().message, HasSubstr("shares a segment"));
  two[0].segments.clear();
  EXPECT_THAT(judge_on_unseen_segments(two, 0).error().message, HasSubstr("not numbered"));
}

TEST(JudgeOnUnseen, ComposesTriplesFromPairs) {
  const auto pool = SyntheticMachine::pool(30, 2);
  const auto pairs = SyntheticMachine::groups(pool, 400, 2, 0.02, 3);
  const auto triples = SyntheticMachine::groups(pool, 200, 3, 0.02, 4);
  const auto judged = judge_on_unseen(pairs, triples, SyntheticMachine::kPeak);
  ASSERT_TRUE(judged) << to_text(judged.error());
  EXPECT_LE(of(*judged, "trees").mean_error, 0.1);
  EXPECT_LT(of(*judged, "trees").mean_error, of(*judged, "max").mean_error);
}

TEST(JudgeGroupMethods, DependsOnTheSeedAlone) {
  const auto pairs = SyntheticMachine::groups(SyntheticMachine::pool(10, 2), 60, 2, 0.02, 3);
  const auto first = judge_group_methods(pairs, 0, 3, 5);
  const auto second = judge_group_methods(pairs, 0, 3, 5);
  ASSERT_TRUE(first && second);
  for (size_t i = 0; i < first->errors.size(); ++i) {
    EXPECT_EQ(first->errors[i].mean_error, second->errors[i].mean_error);
  }
}

TEST(JudgeGroupMethods, RefusesWhatCannotBeJudged) {
  auto pairs = SyntheticMachine::groups(SyntheticMachine::pool(5, 2), 6, 2, 0.02, 3);
  EXPECT_THAT(judge_group_methods(pairs, 0, 7).error().message,
              HasSubstr("6 groups cannot be cut into 7 folds"));
  EXPECT_FALSE(judge_group_methods(pairs, 0, 1));
  pairs[2].ends_ms = {1};
  EXPECT_THAT(judge_group_methods(pairs, 0, 2).error().message, HasSubstr("group 2"));
  EXPECT_THAT(fit_group_methods({}).error().message, HasSubstr("no pair"));
  EXPECT_FALSE(judge_on_unseen(pairs, {}, 0));
}

}  // namespace
}  // namespace opbench
