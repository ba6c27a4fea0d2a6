#include "planning/simulator/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

TimedGraph two_branches(double handoff_ms = 0) {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  timed.add({.name = "a", .kind = "k"}, {.times_ms = {4, 3}});
  timed.add({.name = "b", .kind = "k"}, {.times_ms = {2, 1.5}});
  timed.add({.name = "c", .kind = "k", .needs = {{0}, {1}}}, {.times_ms = {2, 1}},
            {{handoff_ms}, {handoff_ms}});
  return timed;
}

ExecutionPlan side_by_side() {
  return {
      .planner = "test", .workers = 2, .steps = {{{0}, {0}, {}}, {{1}, {1}, {}}, {{2}, {0}, {1}}}};
}

TEST(Simulation, RunsStepsAsSoonAsTeamAndNeedsAreThere) {
  const Timeline timeline = simulate(two_branches(), side_by_side()).value();
  EXPECT_DOUBLE_EQ(timeline.makespan_ms, 6);
  EXPECT_DOUBLE_EQ(timeline.spans[2].start_ms, 4);
  EXPECT_DOUBLE_EQ(utilisation(side_by_side(), timeline), 8.0 / 12);
  EXPECT_TRUE(check_timeline(side_by_side(), timeline));
}

TEST(Simulation, ChargesHandOffsToWorkersThatDidNotMakeTheValue) {
  EXPECT_DOUBLE_EQ(simulate(two_branches(0.5), side_by_side())->makespan_ms, 6);  // b ends early
  EXPECT_DOUBLE_EQ(simulate(two_branches(3), side_by_side())->makespan_ms, 2 + 3 + 2);
  ExecutionPlan team = side_by_side();
  team.steps[2].workers = {0, 1};
  team.steps[2].waits = {1};
  EXPECT_DOUBLE_EQ(simulate(two_branches(0.5), team)->makespan_ms, 4 + 0.5 + 1);
}

TEST(Simulation, ChargesTransfersToStepsThatReadWhatOthersMade) {
  TimedGraph timed = two_branches();
  for (EdgeCost& cost : timed.costs[2]) cost.transfer_ms = 0.5;
  EXPECT_DOUBLE_EQ(simulate(timed, side_by_side())->makespan_ms, 6.5) << "b is of worker 1";
  ExecutionPlan team = side_by_side();
  team.steps[2].workers = {0, 1};
  team.steps[2].waits = {1};
  EXPECT_DOUBLE_EQ(simulate(timed, team)->makespan_ms, 4 + 1 + 0.5) << "a half of each";
  const ExecutionPlan teams{.planner = "test",
                            .workers = 2,
                            .steps = {{{0}, {0, 1}, {}}, {{1}, {0, 1}, {}}, {{2}, {0, 1}, {}}}};
  EXPECT_DOUBLE_EQ(simulate(timed, teams)->makespan_ms, 3 + 1.5 + 1) << "its times have them";
  ExecutionPlan alone = teams;
  alone.steps[2].workers = {1};
  EXPECT_DOUBLE_EQ(simulate(timed, alone)->makespan_ms, 3 + 1.5 + 2 + 0.5) << "a half of each";
}

TEST(Simulation, SavesWhatAWorkerReadsAgain) {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  for (const int weights : {7, 7, 8, 7}) {
    timed.add({.name = "u", .kind = "k", .needs = {}, .weights = weights},
              {.times_ms = {4, 3}, .reuse_ms = 1});
  }
  const auto on = [&](std::vector<std::vector<int>> teams) {
    ExecutionPlan plan{.planner = "test", .workers = 2, .steps = {}};
    for (int i = 0; i < 4; ++i) plan.steps.push_back({{i}, teams[static_cast<size_t>(i)], {}});
    return simulate(timed, plan)->makespan_ms;
  };
  EXPECT_DOUBLE_EQ(on({{0}, {0}, {0}, {0}}), 4 + 3 + 4 + 4) << "the third reads others";
  EXPECT_DOUBLE_EQ(on({{0}, {0}, {1}, {0}}), 4 + 3 + 3);
  EXPECT_DOUBLE_EQ(on({{0}, {1}, {0}, {1}}), 4 + 4) << "the fourth follows the second";
  EXPECT_DOUBLE_EQ(on({{0, 1}, {0, 1}, {0, 1}, {0, 1}}), 4 * 3) << "teams share the weights out";
}

TEST(Transfer, IsOfTheReaderThatHadLeastToDoWithTheValue) {
  const EdgeCost cost{.transfer_ms = 12};
  EXPECT_DOUBLE_EQ(transfer_ms(cost, {0}, {0}), 0);
  EXPECT_DOUBLE_EQ(transfer_ms(cost, {0}, {1}), 12);
  EXPECT_DOUBLE_EQ(transfer_ms(cost, {0, 1}, {1, 0}), 0);
  EXPECT_DOUBLE_EQ(transfer_ms(cost, {0, 1}, {1}), 6);
  EXPECT_DOUBLE_EQ(transfer_ms(cost, {0}, {0, 1}), 6);
  EXPECT_DOUBLE_EQ(transfer_ms(cost, {0, 1, 2, 3}, {0, 1}), 4.5);
  EXPECT_DOUBLE_EQ(transfer_ms(cost, {0, 1}, {0, 1, 2}), 4);
}

TEST(Simulation, SlowsDownWhatRunsBesideOthersForAsLongAsItDoes) {
  const SimulationOptions options{.slowdown = [](int, const std::vector<int>&) { return 2.0; }};
  // Both at half rate until b ends at 4; a has 2 of 4 ms left then.
  const Timeline timeline = simulate(two_branches(), side_by_side(), options).value();
  EXPECT_DOUBLE_EQ(timeline.spans[1].end_ms, 4);
  EXPECT_DOUBLE_EQ(timeline.spans[0].end_ms, 6);
  EXPECT_DOUBLE_EQ(timeline.makespan_ms, 8);
}

TEST(Simulation, SaysWhereAPlanStandsStill) {
  ExecutionPlan plan = side_by_side();
  plan.steps[0].waits = {2};
  const auto timeline = simulate(two_branches(), plan);
  ASSERT_FALSE(timeline);
  EXPECT_THAT(timeline.error().message, HasSubstr("stands still after 1 of 3 steps"));
}

TEST(Simulation, CheckOfATimelineFindsTwoStepsOfAWorkerAtOnce) {
  Timeline timeline = simulate(two_branches(), side_by_side()).value();
  timeline.spans[2].start_ms = 3;
  EXPECT_FALSE(check_timeline(side_by_side(), timeline));
}

}  // namespace
}  // namespace opbench
