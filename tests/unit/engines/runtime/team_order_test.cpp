#include "engines/runtime/teams/team_order.h"

#include <gmock/gmock.h>

#include "small_program.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// Steps 0 and 1 side by side, then step 2 by both, led by worker 1.
TeamProgram diamond() {
  return {.workers = 2, .steps = {{0, {0}, {}}, {1, {1}, {}}, {2, {1, 0}, {0}}}};
}

TEST(TeamOrder, FollowsWaitsAndTheLeadersOwnProgram) {
  const auto order = order_of_teams(diamond(), 3);
  ASSERT_TRUE(order);
  EXPECT_TRUE(order->ends_before(0, 2));
  EXPECT_TRUE(order->ends_before(1, 2));
  EXPECT_FALSE(order->ends_before(0, 1));
  EXPECT_FALSE(order->ends_before(1, 0));
}

TEST(TeamOrder, DoesNotCountWhatAHelperDidBefore) {
  TeamProgram teams = diamond();
  teams.steps[2].waits.clear();
  const auto order = order_of_teams(teams, 3);
  ASSERT_TRUE(order);
  EXPECT_FALSE(order->ends_before(0, 2)) << "the leader may end step 2 alone";
  EXPECT_TRUE(order->ends_before(1, 2));
}

TEST(TeamOrder, CountsForAHelperWhatItHelpedWith) {
  TeamProgram teams = diamond();
  teams.steps.push_back({3, {0}, {}});
  const auto order = order_of_teams(teams, 4);
  ASSERT_TRUE(order);
  for (const int step : {0, 1, 2}) EXPECT_TRUE(order->ends_before(step, 3));
}

TEST(TeamOrder, MayRunALaterStepFirst) {
  const TeamProgram teams{.workers = 1, .steps = {{1, {0}, {}}, {0, {0}, {}}}};
  const auto order = order_of_teams(teams, 2);
  ASSERT_TRUE(order);
  EXPECT_TRUE(order->ends_before(1, 0));
}

std::string fault_of(const TeamProgram& teams) {
  const auto order = order_of_teams(teams, 3);
  EXPECT_FALSE(order);
  return order ? "" : to_text(order.error());
}

TEST(TeamOrder, RefusesProgramsThatAreNone) {
  TeamProgram missing = diamond();
  missing.steps.pop_back();
  EXPECT_THAT(fault_of(missing), HasSubstr("no worker runs step 2"));
  TeamProgram twice = diamond();
  twice.steps[1].step = 0;
  EXPECT_THAT(fault_of(twice), HasSubstr("step 0 twice"));
  TeamProgram unknown = diamond();
  unknown.steps[2].step = -1;
  EXPECT_THAT(fault_of(unknown), HasSubstr("workers run step -1"));
  TeamProgram no_worker = diamond();
  no_worker.steps[0].workers = {2};
  EXPECT_THAT(fault_of(no_worker), HasSubstr("step 0 names worker 2"));
  TeamProgram same_worker = diamond();
  same_worker.steps[2].workers = {1, 1};
  EXPECT_THAT(fault_of(same_worker), HasSubstr("names worker 1 twice"));
  TeamProgram nobody = diamond();
  nobody.steps[1].workers.clear();
  EXPECT_THAT(fault_of(nobody), HasSubstr("no worker runs step 1"));
  TeamProgram dangling = diamond();
  dangling.steps[2].waits = {9};
  EXPECT_THAT(fault_of(dangling), HasSubstr("waits for step 9"));
  TeamProgram circle = diamond();
  circle.steps[0].waits = {2};
  EXPECT_THAT(fault_of(circle), HasSubstr("lead in a circle"));
}

/// y = relu(x) + exp(x), the two parts at `first` and `second`, the sum at `third`.
Program two_parts(int64_t first, int64_t second, int64_t third) {
  Program program;
  program.slots = {arena_slot("x", {1, 6}, 0), arena_slot("a", {1, 6}, first),
                   arena_slot("b", {1, 6}, second), arena_slot("y", {1, 6}, third)};
  program.steps = {{0, "", "relu 1x6", {0}, {1}},
                   {1, "", "exp 1x6", {0}, {2}},
                   {2, "", "add 1x6 1x6", {1, 2}, {3}}};
  program.inputs = {0};
  program.outputs = {3};
  program.arena_bytes = 512;
  program.teams = diamond();
  return program;
}

TEST(TeamCheck, AcceptsStepsThatOverlapInMemoryOfTheirOwn) {
  EXPECT_TRUE(check_teams(two_parts(64, 128, 192)));
}

TEST(TeamCheck, FindsAReaderThatDoesNotWait) {
  Program program = two_parts(64, 128, 192);
  program.teams.steps[2].waits.clear();
  const auto checked = check_teams(program);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("step 2 may start before step 0 has ended"));
}

TEST(TeamCheck, FindsMemoryThatIsOverwrittenWhileItIsInUse) {
  Program program = two_parts(64, 128, 192);
  program.steps.push_back({3, "", "relu 1x6", {3}, {4}});
  program.steps.push_back({4, "", "relu 1x6", {0}, {5}});
  program.slots.push_back(arena_slot("z", {1, 6}, 256));
  program.slots.push_back(arena_slot("late", {1, 6}, 64));
  program.teams.steps.push_back({3, {1}, {}});
  // On the worker that has helped with step 2, and so has seen it end.
  program.teams.steps.push_back({4, {0}, {}});
  EXPECT_TRUE(check_teams(program));
  program.teams.steps.pop_back();
  program.teams.steps.insert(program.teams.steps.begin() + 1, {4, {0}, {}});
  const auto checked = check_teams(program);
  ASSERT_FALSE(checked) << "a is overwritten before step 2 has read it";
  EXPECT_THAT(checked.error().message,
              HasSubstr("step 4 may overwrite memory before step 2 has ended"));
}

}  // namespace
}  // namespace opbench
