#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "planning/place/partition.h"
#include "planning/place/placement_methods.h"
#include "random_placement.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

double makespan(const PlacementProblem& problem, const Placement& placement) {
  return cost_of(problem, rank_order(problem), placement).makespan_ms;
}

/// Every placement, counted up like a number.
double least_of_all(const PlacementProblem& problem, const PlacementGoal& goal) {
  const std::vector<int> order = rank_order(problem);
  Placement placement(problem.size(), 0);
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    const PlacementCost cost = cost_of(problem, order, placement);
    const auto& limit = goal.least_energy_within_ms;
    if (!limit) least = std::min(least, cost.makespan_ms);
    if (limit && cost.makespan_ms <= *limit) least = std::min(least, cost.energy_mj);
    size_t at = 0;
    while (at < placement.size() && placement[at] + 1 == int(problem.devices.size())) {
      placement[at++] = 0;
    }
    if (at == placement.size()) return least;
    ++placement[at];
  }
}

TEST(Placement, CostsTheLargestLoadWithoutNeeds) {
  PlacementProblem problem{.devices = {"a", "b"}};
  problem.add({.name = "x"}, {2, 3}, {5, 1});
  problem.add({.name = "y"}, {4, 1}, {5, 1});
  problem.idle_w = 2;
  const PlacementCost cost = cost_of(problem, rank_order(problem), {0, 1});
  EXPECT_DOUBLE_EQ(cost.makespan_ms, 2);
  EXPECT_DOUBLE_EQ(cost.energy_mj, 5 + 1 + 2 * 2);
  problem.graph.units[1].needs = {{0}};
  problem.transfers[1] = {{.ms = 0.5, .mj = 3}};
  const PlacementCost chained = cost_of(problem, rank_order(problem), {0, 1});
  EXPECT_DOUBLE_EQ(chained.makespan_ms, 2 + 0.5 + 1);
  EXPECT_DOUBLE_EQ(chained.energy_mj, 5 + 1 + 3 + 2 * 3.5);
}

TEST(Placement, IsFoundByBranchAndBoundAsByCounting) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const PlacementDraw draw{.devices = 2 + seed % 2,
                             .units = 7,
                             .density = seed % 3 == 0 ? 0.3 : 0,
                             .has_energy = true};
    const PlacementProblem problem = random_placement(draw, seed);
    ASSERT_TRUE(check_problem(problem));
    const std::vector<int> order = rank_order(problem);
    EXPECT_NEAR(makespan(problem, best_placement(problem, {})), least_of_all(problem, {}), 1e-9);
    const double alone = makespan(problem, Placement(problem.size(), 0));
    const PlacementGoal goal{alone};
    const PlacementCost cost = cost_of(problem, order, best_placement(problem, goal));
    EXPECT_LE(cost.makespan_ms, alone);
    EXPECT_NEAR(cost.energy_mj, least_of_all(problem, goal), 1e-9) << seed;
  }
}

TEST(Placement, IsNearTheOptimumInEquilibrium) {
  double sum = 0;
  constexpr int kProblems = 60;
  for (uint64_t seed = 0; seed < kProblems; ++seed) {
    const PlacementProblem problem = random_placement({.devices = 3, .units = 8}, seed);
    const Equilibrium found = find_equilibrium(problem, {});
    const double ratio =
        makespan(problem, found.placement) / makespan(problem, best_placement(problem, {}));
    EXPECT_GE(ratio, 1 - 1e-9);
    EXPECT_LE(ratio, 1.15) << seed;
    sum += ratio;
  }
  EXPECT_LE(sum / kProblems, 1.03);
}

TEST(Placement, InEquilibriumNobodyGainsByMoving) {
  const PlacementProblem problem = random_placement({.devices = 3, .units = 12, .density = 0.2}, 5);
  const std::vector<int> order = rank_order(problem);
  Placement placement = find_equilibrium(problem, {}).placement;
  const double potential = potential_of(cost_of(problem, order, placement), {});
  for (int& device : placement) {
    const int kept = device;
    for (device = 0; device < 3; ++device) {
      EXPECT_GE(potential_of(cost_of(problem, order, placement), {}), potential * (1 - 1e-8));
    }
    device = kept;
  }
}

TEST(Placement, SavesEnergyWithoutLosingTime) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const PlacementProblem problem = random_placement(
        {.units = 8 + seed % 8, .density = 0.15 * double(seed % 3), .has_energy = true}, seed);
    const std::vector<int> order = rank_order(problem);
    const Placement alone(problem.size(), 0);
    const PlacementCost base = cost_of(problem, order, alone);
    const PlacementGoal goal{base.makespan_ms};
    const Equilibrium found = find_equilibrium(problem, goal, {.more_starts = {alone}});
    const PlacementCost cost = cost_of(problem, order, found.placement);
    EXPECT_LE(cost.makespan_ms, base.makespan_ms);
    const double least = cost_of(problem, order, best_placement(problem, goal)).energy_mj;
    EXPECT_LE(cost.energy_mj, 1.03 * least) << seed;
  }
}

TEST(Placement, RefusesProblemsThatAreNone) {
  PlacementProblem problem = random_placement({.units = 3}, 0);
  problem.graph.units[1].needs = {{2}};
  EXPECT_THAT(check_problem(problem).error().message, HasSubstr("needs unit 2"));
  problem.graph.units[1].needs = {{0}, {0}};
  EXPECT_THAT(check_problem(problem).error().message, HasSubstr("needs unit 0 twice"));
  problem.graph.units[1].needs = {{0, 1024}};
  EXPECT_THAT(check_problem(problem).error().message,
              HasSubstr("unit 1 \"u1\" does not have a transfer for each edge"))
      << "bytes alone move nothing";
  problem.transfers[1] = {{.ms = -1}};
  EXPECT_THAT(check_problem(problem).error().message, HasSubstr("transfer below 0"));
  problem.transfers.pop_back();
  EXPECT_THAT(check_problem(problem).error().message, HasSubstr("no row for each of 3 units"));
  problem = random_placement({.units = 3}, 0);
  problem.times_ms[2] = {1};
  EXPECT_THAT(check_problem(problem).error().message, HasSubstr("unit 2 \"u2\" does not have"));
  EXPECT_FALSE(check_problem({}));
}

TEST(Partition, FindsTheBestSplitOfStaircases) {
  const auto stairs = [](double ms) { return [ms](int parts) { return ms * ((parts + 3) / 4); }; };
  const SplitCosts costs{
      .parts = 16, .first_ms = stairs(1), .second_ms = stairs(3), .join_ms = 0.25};
  EXPECT_EQ(best_split(costs), (Split{.first_parts = 12, .time_ms = 3.25}));
  const SplitCosts far{.parts = 16, .first_ms = stairs(1), .second_ms = stairs(3), .join_ms = 2};
  EXPECT_EQ(best_split(far), (Split{.first_parts = 16, .time_ms = 4}));
}

TEST(Partition, FollowsADeviceThatSlowsDown) {
  const auto even = [](int parts) { return double(parts); };
  SplitBalancer balancer({.parts = 64, .first_ms = even, .second_ms = even}, 32, {});
  double second_speed = 1;
  const auto round = [&] {
    const int first = balancer.first_parts();
    balancer.tell(first / 1.0, (64 - first) / second_speed);
  };
  round();
  EXPECT_EQ(balancer.first_parts(), 32);
  second_speed = 0.25;
  for (int i = 0; i < 5; ++i) round();
  EXPECT_NEAR(balancer.first_parts(), 51, 2);
  const int settled = balancer.first_parts();
  second_speed = 0.26;  // not worth a change
  for (int i = 0; i < 5; ++i) round();
  EXPECT_EQ(balancer.first_parts(), settled);
}

TEST(Partition, FollowsStaircasesAndDevicesThatHadNoParts) {
  const auto stairs = [](double ms) {
    return [ms](int parts) { return ms * (1 + (parts + 3) / 4); };  // a fixed cost besides
  };
  const SplitCosts before{.parts = 8, .first_ms = stairs(1), .second_ms = stairs(4)};
  SplitBalancer balancer(before, best_split(before).first_parts, {});
  EXPECT_EQ(balancer.first_parts(), 8) << "3 on the first alone, 8 for the least part elsewhere";
  const SplitCosts slow{.parts = 8, .first_ms = stairs(6), .second_ms = stairs(4)};
  for (int i = 0; i < 3; ++i) {
    const int first = balancer.first_parts();
    balancer.tell(first > 0 ? slow.first_ms(first) : 0, first < 8 ? slow.second_ms(8 - first) : 0);
  }
  EXPECT_DOUBLE_EQ(split_ms(slow, balancer.first_parts()), best_split(slow).time_ms);
}

TEST(Partition, GuidedChunksNeverEndBeforeTheSpeedsAllow) {
  EXPECT_GE(guided_ms(64, {1, 0.5}, 0), 64 / 1.5);
  EXPECT_DOUBLE_EQ(guided_ms(10, {2}, 0), 5);
  EXPECT_GT(guided_ms(64, {1, 1}, 0.1), guided_ms(64, {1, 1}, 0));
}

}  // namespace
}  // namespace opbench
