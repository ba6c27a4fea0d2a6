#include "planning/plans/plan_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// 0 → 1, 0 → 2, {1, 2} → 3
TimedGraph diamond() {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  timed.add({.name = "a", .kind = "k"}, {.times_ms = {2, 1}});
  timed.add({.name = "b", .kind = "k", .needs = {{0}}}, {.times_ms = {4, 3}});
  timed.add({.name = "c", .kind = "k", .needs = {{0}}}, {.times_ms = {4, 3}});
  timed.add({.name = "d", .kind = "k", .needs = {{1}, {2}}}, {.times_ms = {2, 1}});
  return timed;
}

ExecutionPlan side_by_side() {
  return {.planner = "test",
          .workers = 2,
          .steps = {{{0}, {0, 1}, {}}, {{1}, {0}, {}}, {{2}, {1}, {}}, {{3}, {0, 1}, {2}}}};
}

std::string plan_check_fault_of(const ExecutionPlan& plan, const TimedGraph& timed = diamond()) {
  const Result<void> checked = check_plan(timed, plan);
  return checked ? std::string() : checked.error().message;
}

TEST(PlanCheck, TakesAPlanThatComputesTheGraph) {
  EXPECT_EQ(plan_check_fault_of(side_by_side()), "");
  ExecutionPlan set = side_by_side();
  set_waits(diamond().graph, set);
  EXPECT_EQ(set, side_by_side());
}

TEST(PlanCheck, WantsTheLeaderToWaitForWhatItsHelperDid) {
  ExecutionPlan plan = side_by_side();
  plan.steps[3].waits = {};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("unit 3 may start before unit 2 has ended"));
  plan.steps[3].workers = {1, 0};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("unit 3 may start before unit 1 has ended"));
}

TEST(PlanCheck, RefusesWaitsInACircle) {
  ExecutionPlan plan = side_by_side();
  plan.steps[1].waits = {3};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("lead in a circle"));
  plan.steps[1].waits = {1};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("lead in a circle"));
}

TEST(PlanCheck, RefusesACircleThroughAHelper) {
  // Worker 1 comes to the team only after its own step, which waits for the team's.
  ExecutionPlan plan = side_by_side();
  std::swap(plan.steps[0], plan.steps[2]);
  plan.steps[0].waits = {0};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("lead in a circle"));
}

TEST(PlanCheck, RefusesUnitsAndWorkersThatDoNotFit) {
  ExecutionPlan plan = side_by_side();
  plan.steps[1].workers = {2};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("step 1 names worker 2"));
  plan.steps[1].workers = {0, 0};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("worker 0 twice"));
  plan.steps[1].workers = {};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("no worker"));
  plan = side_by_side();
  plan.steps[1].units = {7};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("runs unit 7, which the model does not have"));
  plan.steps[1].units = {2};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("unit 2 runs in steps 1 and 2"));
  plan.steps[1].units = {1, 2};
  EXPECT_THAT(plan_check_fault_of(plan),
              HasSubstr("no times are known for a kernel of several units"));
  plan = side_by_side();
  plan.steps.pop_back();
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("unit 3 runs in no step"));
  plan = side_by_side();
  plan.steps[3].waits = {9};
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("waits for unit 9"));
  plan.workers = 0;
  EXPECT_THAT(plan_check_fault_of(plan), HasSubstr("at least one worker"));
}

TEST(PlanCheck, TakesMergedUnitsWithTimes) {
  TimedGraph timed = diamond();
  timed.times.merges = {{.units = {1, 2}, .times_ms = {7, 5}}};
  const ExecutionPlan plan{.planner = "test",
                           .workers = 2,
                           .steps = {{{0}, {0}, {}}, {{1, 2}, {0, 1}, {}}, {{3}, {1}, {}}}};
  EXPECT_EQ(plan_check_fault_of(plan, timed), "");
  EXPECT_DOUBLE_EQ(step_ms(timed, plan.steps[1]).value(), 5);
}

}  // namespace
}  // namespace opbench
