#include "planning/place/placement_front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "planning/place/placement_methods.h"
#include "planning/place/state_search.h"
#include "random_placement.h"

namespace opbench {
namespace {

/// Of every placement, counted up like a number.
PlacementFront exhaustive_front(const PlacementProblem& problem) {
  PlacementFront front;
  Placement placement(problem.size(), 0);
  while (true) {
    front.add(front_point(problem, placement));
    size_t at = 0;
    while (at < placement.size() && placement[at] + 1 == int(problem.devices.size())) {
      placement[at++] = 0;
    }
    if (at == placement.size()) return front;
    ++placement[at];
  }
}

/// Blocks of two branches, one after the other, as residual networks have them.
PlacementProblem chain_of_blocks(size_t blocks, uint64_t seed) {
  PlacementProblem problem = random_placement({.units = 3 * blocks, .has_energy = true}, seed);
  for (size_t i = 0; i < problem.size(); ++i) {
    std::vector<UnitNeed>& needs = problem.graph.units[i].needs;
    const int before = static_cast<int>(i) - 1;
    if (i > 0) needs.push_back({before});
    if (i % 3 == 2) needs.push_back({before - 1});
    problem.transfers[i].assign(needs.size(), {0.05, 0.1});
  }
  return problem;
}

TEST(PlacementFront, KeepsWhatNothingBeats) {
  PlacementFront front;
  EXPECT_TRUE(front.add({4, 4, {}}));
  EXPECT_FALSE(front.add({4, 5, {}}));
  EXPECT_FALSE(front.add({4, 4, {}}));
  EXPECT_TRUE(front.add({2, 6, {}}));
  EXPECT_TRUE(front.add({6, 1, {}}));
  EXPECT_EQ(front.points().size(), 3u);
  EXPECT_TRUE(front.add({2, 4, {}}));
  ASSERT_EQ(front.points().size(), 2u);
  EXPECT_EQ(front.points()[0].energy_mj, 4);
  EXPECT_EQ(front.points()[1].energy_mj, 1);
}

TEST(PlacementFront, AnswersTheLeastEnergyWithinATime) {
  PlacementFront front;
  for (const double ms : {1.0, 2.0, 3.0}) front.add({ms, 6 / ms, {}});
  EXPECT_FALSE(front.least_energy_within(0.9));
  EXPECT_EQ(front.least_energy_within(1)->energy_mj, 6);
  EXPECT_EQ(front.least_energy_within(2.9)->energy_mj, 3);
  EXPECT_EQ(front.least_energy_within(99)->energy_mj, 2);
}

TEST(PlacementFront, MeasuresTheAreaThatItBeats) {
  PlacementFront front;
  EXPECT_EQ(front.hypervolume(10, 10), 0);
  front.add({2, 6, {}});
  EXPECT_EQ(front.hypervolume(10, 10), 8 * 4);
  front.add({4, 1, {}});
  EXPECT_EQ(front.hypervolume(10, 10), 8 * 4 + 6 * 5);
  front.add({20, 0.5, {}});
  EXPECT_EQ(front.hypervolume(10, 10), 8 * 4 + 6 * 5);
}

TEST(PlacementFront, IsTheExhaustiveOneOnSmallGraphs) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const PlacementDraw draw{.devices = 2 + seed % 2,
                             .units = 8,
                             .density = seed % 4 == 0 ? 0 : 0.3,
                             .has_energy = true};
    const PlacementProblem problem = random_placement(draw, seed);
    const PlacementFront all = exhaustive_front(problem);
    const double longest = all.points().back().makespan_ms * 1.2;
    const double hungriest = all.points().front().energy_mj * 1.2;
    const StateSearchResult exact =
        search_states(problem, {.counts_energy = true, .most_states = 100000});
    ASSERT_TRUE(exact.is_complete);
    EXPECT_EQ(exact.front.points().size(), all.points().size()) << seed;
    EXPECT_NEAR(exact.front.hypervolume(longest, hungriest), all.hypervolume(longest, hungriest),
                1e-9);
    const EnergyFront found = find_energy_front(problem, {});
    const double share =
        found.front.hypervolume(longest, hungriest) / all.hypervolume(longest, hungriest);
    EXPECT_LE(share, 1 + 1e-9);
    EXPECT_TRUE(found.is_optimal && found.tolerance == 0);
    EXPECT_GE(share, 1 - 1e-9) << seed;
  }
}

TEST(StateSearch, FindsTheShortestMakespanAsBranchAndBoundDoes) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const PlacementDraw draw{
        .devices = 2 + seed % 2, .units = 9, .density = 0.1 * static_cast<double>(seed % 5)};
    const PlacementProblem problem = random_placement(draw, seed);
    const double best = front_point(problem, best_placement(problem, {})).makespan_ms;
    const StateSearchResult found = search_states(problem, {.most_ms = best * 1.5});
    ASSERT_TRUE(found.is_complete);
    ASSERT_EQ(found.front.points().size(), 1u);
    EXPECT_NEAR(found.front.points().front().makespan_ms, best, 1e-9) << seed;
    EXPECT_LE(placement_bound_ms(problem), best + 1e-9);
  }
}

TEST(StateSearch, IsExactOnLongChainsOfBlocks) {
  const PlacementProblem small = chain_of_blocks(4, 1);
  const double best = front_point(small, best_placement(small, {})).makespan_ms;
  EXPECT_NEAR(search_states(small, {}).front.points().front().makespan_ms, best, 1e-9);
  const PlacementProblem large = chain_of_blocks(40, 2);
  const StateSearchResult found = search_states(large, {});
  EXPECT_TRUE(found.is_complete);
  const double heft = front_point(large, heft_placement(large)).makespan_ms;
  EXPECT_LE(found.front.points().front().makespan_ms, heft);
  EXPECT_GE(found.front.points().front().makespan_ms, placement_bound_ms(large) - 1e-9);
}

TEST(StateSearch, LosesNoMoreThanItsTolerance) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const PlacementProblem problem =
        random_placement({.units = 9, .density = 0.3, .has_energy = true}, seed);
    const PlacementFront all = exhaustive_front(problem);
    const double longest = all.points().back().makespan_ms;
    constexpr double kTolerance = 0.05;
    const StateSearchResult found = search_states(
        problem,
        {.counts_energy = true, .most_ms = longest * (1 + kTolerance), .tolerance = kTolerance});
    double hungriest = problem.idle_w * longest * (1 + kTolerance);
    for (size_t i = 0; i < problem.size(); ++i) hungriest += problem.largest_energy(i);
    for (const FrontPoint& point : all.points()) {
      const auto near = found.front.least_energy_within(point.makespan_ms +
                                                        kTolerance * longest * (1 + kTolerance));
      ASSERT_TRUE(near) << seed;
      // A longer makespan draws more idle energy besides.
      EXPECT_LE(near->energy_mj, point.energy_mj + kTolerance * hungriest +
                                     problem.idle_w * kTolerance * longest * (1 + kTolerance));
    }
  }
}

TEST(StateSearch, SaysWhenItDroppedStates) {
  const PlacementProblem problem = random_placement({.units = 12, .has_energy = true}, 3);
  const StateSearchResult found =
      search_states(problem, {.counts_energy = true, .most_states = 10});
  EXPECT_FALSE(found.is_complete);
  EXPECT_FALSE(found.front.points().empty());
}

TEST(StateSearch, BoundsWhatItDropped) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const PlacementProblem problem =
        random_placement({.devices = 3, .units = 9, .density = 0.2, .has_energy = true}, seed);
    const double best = front_point(problem, best_placement(problem, {})).makespan_ms;
    const StateSearchResult found = search_states(problem, {.most_states = 3});
    ASSERT_FALSE(found.is_complete);
    const double shortest = found.front.points().front().makespan_ms;
    EXPECT_LE(std::min(shortest, found.dropped_bound), best + 1e-9) << seed;
    EXPECT_GE(shortest, best - 1e-9);
  }
}

TEST(PlacementBound, IsTheSumOverPieces) {
  PlacementProblem problem{.devices = {"a", "b"}};
  problem.add({.name = "x"}, {2, 3});
  problem.add({.name = "y", .needs = {{0}}}, {4, 6});
  problem.add({.name = "z", .needs = {{0}}}, {4, 2});
  problem.add({.name = "w", .needs = {{1}, {2}}}, {5, 5});
  EXPECT_DOUBLE_EQ(placement_bound_ms(problem), 2 + 4 + 5);
  problem.times_ms[2] = {9, 8};
  EXPECT_DOUBLE_EQ(placement_bound_ms(problem), 2 + 8 + 5);
  problem.times_ms[1] = {7, 7};
  problem.times_ms[2] = {7, 7};
  EXPECT_DOUBLE_EQ(placement_bound_ms(problem), 2 + 7 + 5);
}

}  // namespace
}  // namespace opbench
