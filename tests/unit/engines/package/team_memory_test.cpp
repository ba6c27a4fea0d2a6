#include <gtest/gtest.h>

#include <algorithm>

#include "engines/runtime/teams/team_order.h"
#include "memory_simulation.h"
#include "random_model.h"
#include "random_teams.h"

namespace opbench {
namespace {

TEST(TeamMemory, IsNeverOverwrittenWhileWorkersUseIt) {
  size_t most_together = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Model model = RandomModel(seed).make();
    const TeamProgram teams = random_teams(planned(model).memory.program, 1 + seed % 3, random);
    const auto order = order_of_teams(teams, teams.steps.size());
    ASSERT_TRUE(order) << to_text(order.error());
    Planned plan = planned(model, waits_of(*order));
    plan.memory.program.teams = teams;
    const auto checked = check_teams(plan.memory.program);
    ASSERT_TRUE(checked) << to_text(checked.error());
    for (int run = 0; run < 5; ++run) {
      Simulation simulation(plan);
      simulation.run_teams(random);
      most_together = std::max(most_together, simulation.most_together());
    }
  }
  EXPECT_EQ(most_together, 3U);
}

TEST(TeamMemory, OfStepsInOrderIsRefusedWhereTheyOverlap) {
  int accepted = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Planned plan = planned(RandomModel(seed).make());
    plan.memory.program.teams = random_teams(plan.memory.program, 1 + seed % 3, random);
    if (!check_teams(plan.memory.program)) {
      ++refused;
      continue;
    }
    ++accepted;
    Simulation(plan).run_teams(random);
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace opbench
