#include "experiments/partition/partition_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// Staircases: a fixed cost, and tiles of two parts at a speed of their own.
PartitionGrid staircase_grid(int parts, uint64_t seed) {
  Random random(seed, "grid");
  PartitionGrid grid{.parts = parts, .join_ms = 0.05};
  for (PartTimes* times : {&grid.first, &grid.second}) {
    const double fixed = 0.1 * random.uniform();
    const double pace = 0.5 + random.uniform();
    for (int size = 1; size <= parts; ++size) {
      times->times_ms.push_back(fixed + pace * 2 * std::ceil(size / 2.0));
    }
  }
  return grid;
}

double time_of(const PartitionGrid& grid, int first) {
  const int second = grid.parts - first;
  double time = 0;
  if (first > 0) time = grid.first.times_ms[static_cast<size_t>(first - 1)];
  if (second > 0) time = std::max(time, grid.second.times_ms[static_cast<size_t>(second - 1)]);
  return time + (first > 0 && second > 0 ? grid.join_ms : 0);
}

TEST(PartitionStudy, FindsTheBestOfTheGrid) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const PartitionGrid grid = staircase_grid(12, seed);
    const auto study = study_partition(grid, {});
    ASSERT_TRUE(study) << to_text(study.error());
    double least = std::numeric_limits<double>::infinity();
    for (int first = 0; first <= grid.parts; ++first) {
      EXPECT_DOUBLE_EQ(study->grid[static_cast<size_t>(first)].time_ms, time_of(grid, first));
      least = std::min(least, time_of(grid, first));
    }
    EXPECT_DOUBLE_EQ(study->best.time_ms, least);
    EXPECT_DOUBLE_EQ(time_of(grid, study->best.first_parts), least);
    EXPECT_DOUBLE_EQ(study->alone_ms, std::min(time_of(grid, 0), time_of(grid, 12)));
    EXPECT_GE(study->guided_ms, least - 2 * grid.join_ms);
  }
}

TEST(PartitionStudy, JudgesDevicesAndSplitsByTheControl) {
  PartitionGrid grid{.parts = 2, .join_ms = 0.01};
  grid.first.times_ms = {1, 2};
  grid.second.times_ms = {1.03, 2.06};
  grid.first.errors_ms = grid.second.errors_ms = {0.01, 0.02};
  grid.control = ratio_of_times(2.1, 0.02, 2, 0.02);
  const PartitionStudy study = study_partition(grid, {}).value();
  EXPECT_NEAR(study.second.ratio, 1.03, 1e-9);
  EXPECT_EQ(study.second_verdict, "inconclusive") << "the first beside itself differs by more";
  EXPECT_EQ(study.verdict, "faster") << "both together are";
  grid.control = ratio_of_times(2, 0, 2, 0);
  EXPECT_EQ(study_partition(grid, {})->second_verdict, "inconclusive");
  grid.second.times_ms = {1, 2};
  EXPECT_EQ(study_partition(grid, {})->second_verdict, "same");
  grid.second.times_ms = {2, 4};
  EXPECT_EQ(study_partition(grid, {})->second_verdict, "slower");
}

TEST(PartitionStudy, ComesNearTheBestFromFewProbes) {
  double sum = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const PartitionGrid grid = staircase_grid(32, seed);
    const auto study = study_partition(grid, {});
    ASSERT_TRUE(study);
    EXPECT_LE(study->probes, 18);
    const double ratio = time_of(grid, study->probed.first_parts) / study->best.time_ms;
    EXPECT_LE(ratio, 1.05) << seed;
    sum += ratio;
  }
  EXPECT_LE(sum / 50, 1.005);
}

TEST(PartitionStudy, AsksForEachSizeOnce) {
  const PartitionGrid grid = staircase_grid(16, 1);
  std::set<std::pair<int, int>> asked;
  int probes = 0;
  const auto time_ms = [&](int device, int parts) {
    EXPECT_TRUE(asked.insert({device, parts}).second);
    const PartTimes& times = device == 0 ? grid.first : grid.second;
    return times.times_ms[static_cast<size_t>(parts - 1)];
  };
  const SplitChoice choice = probe_split(16, grid.join_ms, time_ms, probes);
  EXPECT_EQ(asked.size(), static_cast<size_t>(probes));
  EXPECT_DOUBLE_EQ(choice.time_ms, time_of(grid, choice.first_parts));
}

/// By a straight line from the slow size to the largest, 6 parts would take as long as it does.
TEST(PartitionStudy, LooksBeyondASlowSize) {
  PartitionGrid grid{.parts = 8};
  for (int size = 1; size <= 8; ++size) {
    grid.first.times_ms.push_back(size == 5 ? 8 : size);
    grid.second.times_ms.push_back(1.9 * size);
  }
  const auto study = study_partition(grid, {});
  ASSERT_TRUE(study) << to_text(study.error());
  EXPECT_EQ(study->best.first_parts, 6);
  EXPECT_EQ(study->probed.first_parts, 6);
  EXPECT_LT(study->probes, 16);
}

TEST(PartitionStudy, ProbesASingleTile) {
  int probes = 0;
  const SplitChoice choice = probe_split(
      2, 0.1, [](int, int parts) { return 1.0 * parts; }, probes);
  EXPECT_EQ(choice.first_parts, 1);
  EXPECT_EQ(probes, 4);
}

TEST(PartitionStudy, AdaptsWithinFiveRounds) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    for (const double factor : {0.5, 1.5, 2.0, 4.0}) {
      const auto study = study_partition(staircase_grid(16, seed), {.slow_factor = factor});
      ASSERT_TRUE(study);
      ASSERT_EQ(study->rounds.size(), 15u);
      for (const BalancedRound& round : study->rounds) {
        EXPECT_GE(round.time_ms, round.best_ms - 1e-9);
      }
      // A device that has become faster and has no parts tells nothing.
      if (factor < 1 && study->best.first_parts == 16) continue;
      ASSERT_TRUE(study->adapted_after) << seed << " " << factor;
      EXPECT_LE(*study->adapted_after, 2) << seed << " " << factor;
    }
  }
  PartitionGrid grid{.parts = 32};
  for (int size = 1; size <= 32; ++size) {
    grid.first.times_ms.push_back(size);
    grid.second.times_ms.push_back(1.5 * size);
  }
  const auto study = study_partition(grid, {.slow_factor = 3});
  ASSERT_TRUE(study && study->adapted_after);
  EXPECT_LE(*study->adapted_after, 5);
  EXPECT_GT(*study->adapted_after, 0);
}

TEST(PartitionStudy, RefusesAGridWithoutEveryTime) {
  PartitionGrid grid = staircase_grid(8, 1);
  grid.second.device = "cpu1";
  grid.second.times_ms.pop_back();
  const auto study = study_partition(grid, {});
  ASSERT_FALSE(study);
  EXPECT_EQ(study.error().message, "there is no time above 0 of every size on cpu1");
}

}  // namespace
}  // namespace opbench
