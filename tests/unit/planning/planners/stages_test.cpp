#include "planning/planners/stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "every_partition.h"
#include "random_unit_graph.h"

namespace opbench {
namespace {

TEST(Stages, CostWhatASecondImplementationFinds) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    for (const int workers : {1, 2, 4}) {
      const TimedGraph timed = random_unit_graph(
          {.units = 7, .density = 0.2, .workers = workers, .merge_share = 0.3}, seed);
      const NaiveStageCost naive(timed, workers);
      for (UnitMask mask = 1; mask < (1U << timed.size()); ++mask) {
        const Stage stage = best_stage(timed, workers, mask);
        EXPECT_NEAR(stage.cost_ms, naive.of(stage.units), 1e-9) << seed << " " << mask;
      }
    }
  }
}

TEST(Stages, AreAsCheapAsTheBestOfAllPartitions) {
  int compared = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const GraphDraw draw{.units = 4 + seed % 7,
                         .density = seed % 2 == 0 ? 0.25 : 0.4,
                         .workers = seed % 3 == 0 ? 4 : 2,
                         .merge_share = seed % 5 == 0 ? 0.3 : 0};
    const TimedGraph timed = random_unit_graph(draw, seed);
    const auto found = best_stages(timed, draw.workers, {});
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->cost_ms, EveryPartition(timed, draw.workers).best(), 1e-9) << seed;
    ++compared;
  }
  EXPECT_EQ(compared, 500);
}

TEST(Stages, PrunedAreAsCheapAsTheBestOfThosePartitions) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const TimedGraph timed = random_unit_graph({.units = 8, .density = 0.25}, seed);
    const StageLimits limits{.most_units = 1 + static_cast<int>(seed % 3),
                             .most_groups = 1 + static_cast<int>(seed % 2)};
    const auto found = best_stages(timed, 2, limits);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->cost_ms, EveryPartition(timed, 2, limits).best(), 1e-9) << seed;
    for (const Stage& stage : found->stages) {
      EXPECT_LE(static_cast<int>(stage.groups.size()), limits.most_groups);
    }
  }
}

TEST(Stages, UniteClosuresThatOverlap) {
  // 0 feeds 1 and 2: with both of them it is one group of three, not two groups.
  TimedGraph timed{.times = {.teams = {1, 2}}};
  timed.add({.name = "a", .kind = "k"}, {.times_ms = {1, 1}});
  timed.add({.name = "b", .kind = "k", .needs = {{0}}}, {.times_ms = {1, 1}});
  timed.add({.name = "c", .kind = "k", .needs = {{0}}}, {.times_ms = {1, 1}});
  timed.add({.name = "d", .kind = "k"}, {.times_ms = {3, 3}});
  const Stage stage = best_stage(timed, 2, 0b1111);
  ASSERT_EQ(stage.groups.size(), 2U);
  EXPECT_EQ(stage.groups[0].units, (std::vector<int>{0, 1, 2}));
  EXPECT_DOUBLE_EQ(stage.cost_ms, 3);
  EXPECT_DOUBLE_EQ(best_stages(timed, 2, {})->cost_ms, 3);  // a search without the union finds 4
}

TEST(Stages, StopAtTheLimitOfTransitions) {
  const TimedGraph timed = random_unit_graph({.units = 12, .density = 0.1}, 1);
  EXPECT_FALSE(best_stages(timed, 2, {.most_transitions = 50}));
  EXPECT_TRUE(best_stages(timed, 2, {}));
}

}  // namespace
}  // namespace opbench
