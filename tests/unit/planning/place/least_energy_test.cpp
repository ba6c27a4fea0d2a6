#include <gtest/gtest.h>

#include "planning/place/placement_front.h"
#include "planning/place/placement_methods.h"
#include "random_placement.h"

namespace opbench {
namespace {

TEST(LeastEnergy, IsWhatBranchAndBoundFinds) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const PlacementDraw draw{
        .devices = 2 + seed % 2, .units = 9, .density = 0.3, .has_energy = true};
    const PlacementProblem problem = random_placement(draw, seed);
    const double alone = front_point(problem, Placement(problem.size(), 0)).makespan_ms;
    const FrontPoint best = front_point(problem, best_placement(problem, {alone}));
    const LeastEnergy found = find_least_energy(problem, alone, {}, 100000);
    ASSERT_TRUE(found.point) << seed;
    EXPECT_TRUE(found.is_optimal);
    EXPECT_LE(found.point->makespan_ms, alone * (1 + 1e-9));
    EXPECT_NEAR(found.point->energy_mj, best.energy_mj, 1e-9 * best.energy_mj) << seed;
  }
}

TEST(LeastEnergy, IsNothingWithinTooShortATime) {
  const PlacementProblem problem = random_placement({.units = 5, .has_energy = true}, 1);
  const LeastEnergy found = find_least_energy(problem, 1e-9, {}, 1000);
  EXPECT_FALSE(found.point);
}

TEST(LeastEnergy, TakesAKnownPointWhereStatesAreDropped) {
  const PlacementProblem problem = random_placement({.units = 14, .has_energy = true}, 2);
  const double alone = front_point(problem, Placement(problem.size(), 0)).makespan_ms;
  PlacementFront known;
  known.add(front_point(problem, best_placement(problem, {alone})));
  const LeastEnergy few = find_least_energy(problem, alone, {}, 5);
  EXPECT_FALSE(few.is_optimal);
  EXPECT_GT(few.bound_mj, 0);
  EXPECT_LE(few.bound_mj, known.points().front().energy_mj);
  const LeastEnergy found = find_least_energy(problem, alone, known, 5);
  ASSERT_TRUE(found.point);
  EXPECT_EQ(found.point->energy_mj, known.points().front().energy_mj);
}

}  // namespace
}  // namespace opbench
