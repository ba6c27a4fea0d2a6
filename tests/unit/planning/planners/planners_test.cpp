#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "planning/graphs/ceiling.h"
#include "planning/graphs/slowed_graph.h"
#include "planning/planners/optimum.h"
#include "planning/planners/planner.h"
#include "planning/planners/selection.h"
#include "planning/planners/weight_tasks.h"
#include "planning/plans/plan_check.h"
#include "planning/simulator/simulation.h"
#include "random_unit_graph.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ExecutionPlan plan_of(const std::string& planner, const TimedGraph& timed, int workers) {
  return planner_table().find(planner).value()->plan(timed, {.workers = workers});
}

double makespan(const TimedGraph& timed, const ExecutionPlan& plan) {
  return simulate(timed, plan).value().makespan_ms;
}

TEST(Planners, KeepDependenciesAndWorkersOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 48; ++seed) {
    const int workers = 1 + static_cast<int>(seed % 4);
    const TimedGraph timed = random_unit_graph({.units = 1 + seed % 24,
                                                .density = 0.05 + 0.03 * double(seed % 10),
                                                .workers = workers,
                                                .merge_share = seed % 3 == 0 ? 0.1 : 0,
                                                .handoff_ms = seed % 2 == 0 ? 0.05 : 0,
                                                .transfer_ms = seed % 5 == 0 ? 0.1 : 0,
                                                .weight_sets = static_cast<int>(seed % 7)},
                                               seed);
    ASSERT_TRUE(check_timed(timed));
    for (const PlannerDef& planner : planner_table().all()) {
      const ExecutionPlan plan = planner.plan(timed, {.workers = workers});
      const Result<void> checked = check_plan(timed, plan);
      ASSERT_TRUE(checked) << planner.name << " " << seed << ": " << checked.error().message;
      const Result<Timeline> timeline = simulate(timed, plan);
      ASSERT_TRUE(timeline) << planner.name << " " << seed;
      EXPECT_TRUE(check_timeline(plan, *timeline)) << planner.name << " " << seed;
      EXPECT_EQ(plan.planner, planner.name);
      EXPECT_EQ(plan, planner.plan(timed, {.workers = workers})) << planner.name;
      // No merge: nothing ends before the ceiling says.
      if (timed.times.merges.empty()) {
        EXPECT_GE(timeline->makespan_ms, ceiling_of(timed, workers).pieces_ms - 1e-9);
      }
    }
  }
}

TEST(Planners, KeepAUnitWhereItsDataLieUnlessThatIsSlower) {
  TimedGraph chain{.times = {.teams = {1, 2}}};
  chain.add({.name = "a", .kind = "k"}, {.times_ms = {4, 2}});
  chain.add({.name = "b", .kind = "k", .needs = {{0}}}, {.times_ms = {1, 1.2}}, {{0, 0.4}});
  chain.add({.name = "c", .kind = "k", .needs = {{1}}}, {.times_ms = {4, 2}}, {{0, 0.4}});
  const ExecutionPlan together = plan_of("mixed", chain, 2);
  for (const PlanStep& step : together.steps) EXPECT_EQ(step.workers.size(), 2U);
  chain.times.units[1].times_ms = {1, 1.5};  // now it is worth two transfers of a half
  EXPECT_EQ(plan_of("mixed", chain, 2).steps[1].workers.size(), 1U);
}

TEST(StreamPlanner, GivesEveryUnitOneWorkerAndKeepsTheOthersBusy) {
  TimedGraph wide{.times = {.teams = {1, 2}}};
  for (int i = 0; i < 8; ++i) wide.add({.name = "u", .kind = "k"}, {.times_ms = {1, 0.4}});
  const PlannerDef* planner = *planner_table().find(kStreamPlanner);
  const ExecutionPlan plan = planner->plan(wide, {.workers = 2});
  for (const PlanStep& step : plan.steps) EXPECT_EQ(step.workers.size(), 1U);
  EXPECT_DOUBLE_EQ(simulated_ms(wide, plan), 4) << "though all workers together would take 3.2";
}

TEST(Planners, NeverEndBeforeTheCeilingThatSlowdownsLeave) {
  const PairSlowdown slowdown = [](int unit, int beside) {
    return 1 + 0.05 * ((unit * 7 + beside * 3) % 10);
  };
  const SimulationOptions options{.slowdown = [&](int unit, const std::vector<int>& others) {
    double factor = 1;
    for (const int other : others) factor += slowdown(unit, other) - 1;
    return factor;
  }};
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const int workers = seed % 2 == 0 ? 2 : 4;
    const TimedGraph timed = random_unit_graph(
        {.units = 2 + seed % 14, .density = 0.2, .workers = workers, .handoff_ms = 0.02}, seed);
    const std::vector<double> least = least_slowdowns(timed.graph, slowdown);
    const double bound = ceiling_of(timed, workers, least).pieces_ms;
    const TimedGraph slowed = slowed_graph(timed, workers, least);
    for (const PlannerDef& planner : planner_table().all()) {
      const ExecutionPlan plan = planner.plan(slowed, {.workers = workers});
      ASSERT_TRUE(check_plan(timed, plan)) << planner.name << " " << seed;
      EXPECT_GE(simulated_ms(timed, plan, options), bound - 1e-9) << planner.name << " " << seed;
    }
  }
}

/// Adds the unit; every edge to it has a hand-off of 10 µs.
void add_with_handoffs(GraphUnit unit, UnitTimes times, TimedGraph& timed) {
  std::vector<EdgeCost> costs(unit.needs.size(), {.handoff_ms = 0.01});
  timed.add(std::move(unit), std::move(times), std::move(costs));
}

/// Cells of layers over steps, step by step: a cell needs the layer below and the step before.
TimedGraph grid(int layers, int steps) {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  for (int step = 0; step < steps; ++step) {
    for (int layer = 0; layer < layers; ++layer) {
      GraphUnit cell{.name = "cell", .kind = "matmul"};
      const int number = step * layers + layer;
      if (step > 0) cell.needs.push_back({number - layers});
      if (layer > 0) cell.needs.push_back({number - 1});
      add_with_handoffs(std::move(cell), {.times_ms = {1, 0.8}}, timed);
    }
  }
  return timed;
}

/// The same with two products a cell: of the layer below, and of the step before. All cells of a
/// layer read the same weights, which costs half of a product's time if others were read between.
TimedGraph recurrent_grid(int layers, int steps) {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  const auto cell = [&](int step, int layer) { return 2 * (step * layers + layer) + 1; };
  for (int step = 0; step < steps; ++step) {
    for (int layer = 0; layer < layers; ++layer) {
      const UnitTimes times{.times_ms = {1, 1}, .reuse_ms = 0.5};
      GraphUnit below{.name = "x", .kind = "matmul", .needs = {}, .weights = 2 * layer};
      GraphUnit before{.name = "h", .kind = "matmul", .needs = {}, .weights = 2 * layer + 1};
      if (layer > 0) below.needs.push_back({cell(step, layer - 1)});
      before.needs.push_back({cell(step, layer) - 1});
      if (step > 0) before.needs.push_back({cell(step - 1, layer)});
      add_with_handoffs(std::move(below), times, timed);
      add_with_handoffs(std::move(before), times, timed);
    }
  }
  return timed;
}

TEST(StationaryPlanner, ReadsWeightsAgainThatAWorkerHasJustRead) {
  constexpr int kLayers = 6;
  constexpr int kSteps = 48;
  const TimedGraph timed = recurrent_grid(kLayers, kSteps);
  ASSERT_TRUE(check_timed(timed));
  const ExecutionPlan plan = plan_of("stationary", timed, 2);
  ASSERT_TRUE(check_plan(timed, plan));
  const double all_ms = 2.0 * kLayers * kSteps;
  EXPECT_GE(makespan(timed, plan), all_ms / 4) << "every product reuses, both workers are busy";
  EXPECT_LE(makespan(timed, plan), all_ms / 4 * 1.6);
  EXPECT_GT(makespan(timed, plan_of("wavefront", timed, 2)), all_ms / 2 - 1e-9);
  for (const PlanStep& step : plan.steps) EXPECT_EQ(step.workers.size(), 1U);
}

TEST(StationaryPlanner, IsSequentialWhereNoWeightsAreReadTwice) {
  const TimedGraph timed = random_unit_graph({.units = 12, .density = 0.2}, 1);
  EXPECT_EQ(plan_of("stationary", timed, 2).steps, plan_of("sequential", timed, 2).steps);
}

TEST(WeightTasks, HoldEveryUnitOnceAfterWhatItNeeds) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const TimedGraph timed = random_unit_graph({.units = 30,
                                                .density = 0.02 + 0.002 * double(seed),
                                                .weight_sets = 1 + static_cast<int>(seed % 9)},
                                               seed);
    const auto tasks = weight_tasks(timed.graph, 1 + static_cast<int>(seed % 4));
    std::vector<int> task_of(timed.size(), -1);
    for (int task = 0; task < std::ssize(tasks); ++task) {
      EXPECT_TRUE(std::ranges::is_sorted(tasks[static_cast<size_t>(task)].units));
      for (const int need : tasks[static_cast<size_t>(task)].needs) EXPECT_LT(need, task);
      for (const int unit : tasks[static_cast<size_t>(task)].units) {
        EXPECT_EQ(task_of[static_cast<size_t>(unit)], -1);
        task_of[static_cast<size_t>(unit)] = task;
      }
    }
    for (size_t i = 0; i < timed.size(); ++i) {
      ASSERT_NE(task_of[i], -1);
      for (const UnitNeed& need : timed.graph.units[i].needs) {
        EXPECT_LE(task_of[static_cast<size_t>(need.unit)], task_of[i]) << seed;
      }
    }
  }
}

TEST(WeightTasks, KeepLayersOfARecurrentModelTogether) {
  const auto tasks = weight_tasks(recurrent_grid(2, 8).graph, 4);
  // Two blocks of four steps; in each, for either layer, the products of the layer below and those
  // of the steps before.
  ASSERT_EQ(tasks.size(), 8U);
  for (const WeightTask& task : tasks) EXPECT_EQ(task.units.size(), 4U);
}

TEST(WavefrontPlanner, GivesEachWorkerHalfOfEveryDiagonal) {
  constexpr int kLayers = 10;
  constexpr int kSteps = 40;
  const TimedGraph timed = grid(kLayers, kSteps);
  const ExecutionPlan plan = plan_of("wavefront", timed, 2);
  ASSERT_TRUE(check_plan(timed, plan));
  for (const PlanStep& step : plan.steps) {
    const int number = step.units.front();
    const int layer = number % kLayers;
    const int diagonal = number / kLayers + layer;
    if (diagonal < kLayers - 1 || diagonal >= kSteps) continue;  // these have fewer cells
    // The cells of a diagonal in the order of their steps: higher layers first.
    EXPECT_THAT(step.workers, testing::ElementsAre(layer >= kLayers / 2 ? 0 : 1)) << number;
  }
  EXPECT_LT(makespan(timed, plan), 0.6 * makespan(timed, plan_of("list", timed, 1)));
}

TEST(Planners, TakeGraphsOfThousandsOfUnits) {
  const TimedGraph timed = grid(40, 100);
  for (const char* planner : {"sequential", "greedy", "list", "waves", "wavefront", "threads"}) {
    const ExecutionPlan plan = plan_of(planner, timed, 2);
    EXPECT_TRUE(check_plan(timed, plan)) << planner;
  }
}

TEST(Planners, ButGreedyAndWavesAreNeverSlowerThanSequential) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const TimedGraph timed = random_unit_graph({.units = 12, .density = 0.2}, seed);
    const double base = makespan(timed, plan_of("sequential", timed, 2));
    for (const char* planner : {"dp", "list", "beam", "threads"}) {
      EXPECT_LE(makespan(timed, plan_of(planner, timed, 2)), base + 1e-9) << planner;
    }
  }
}

TEST(Planners, GreedyCanBeSlowerThanSequential) {
  // A small unit beside a large one that scales well: side by side takes as long as the large one.
  TimedGraph timed{.times = {.teams = {1, 2}}};
  timed.add({.name = "large", .kind = "k"}, {.times_ms = {10, 5}});
  timed.add({.name = "small", .kind = "k"}, {.times_ms = {1, 0.5}});
  EXPECT_DOUBLE_EQ(makespan(timed, plan_of("greedy", timed, 2)), 10);
  EXPECT_DOUBLE_EQ(makespan(timed, plan_of("sequential", timed, 2)), 5.5);
  EXPECT_DOUBLE_EQ(makespan(timed, plan_of("dp", timed, 2)), 5.5);
}

/// All schedules: every order that keeps needs, every size of team, every choice of workers.
double every_schedule(const TimedGraph& timed, std::vector<double>& free, std::vector<double>& end,
                      double best) {
  if (std::ranges::count(end, 0.0) == 0) return std::min(best, *std::ranges::max_element(free));
  for (size_t unit = 0; unit < timed.size(); ++unit) {
    if (end[unit] > 0) continue;
    double ready = 0;
    bool is_ready = true;
    for (const UnitNeed& need : timed.graph.units[unit].needs) {
      is_ready = is_ready && end[static_cast<size_t>(need.unit)] > 0;
      ready = std::max(ready, end[static_cast<size_t>(need.unit)]);
    }
    for (unsigned set = 1; is_ready && set < (1U << free.size()); ++set) {
      const auto team = std::ranges::find(timed.times.teams, std::popcount(set));
      if (team == timed.times.teams.end()) continue;
      double start = ready;
      for (size_t w = 0; w < free.size(); ++w) {
        if ((set >> w & 1) != 0) start = std::max(start, free[w]);
      }
      const std::vector<double> kept = free;
      end[unit] =
          start +
          timed.times.units[unit].times_ms[static_cast<size_t>(team - timed.times.teams.begin())];
      for (size_t w = 0; w < free.size(); ++w) {
        if ((set >> w & 1) != 0) free[w] = end[unit];
      }
      best = every_schedule(timed, free, end, best);
      free = kept;
      end[unit] = 0;
    }
  }
  return best;
}

TEST(Optimum, IsTheShortestOfAllSchedules) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const int workers = seed % 4 == 0 ? 3 : 2;
    const TimedGraph timed =
        random_unit_graph({.units = 5, .density = 0.25, .workers = workers}, seed);
    std::vector<double> free(static_cast<size_t>(workers), 0), end(timed.size(), 0);
    EXPECT_NEAR(*optimum_ms(timed, workers, 1000000), every_schedule(timed, free, end, 1e9), 1e-9)
        << seed;
  }
}

TEST(Optimum, GivesUpBeyondItsLimit) {
  EXPECT_FALSE(optimum_ms(random_unit_graph({.units = 10, .density = 0.1}, 0), 2, 20));
}

TEST(BeamPlanner, IsNearTheOptimum) {
  for (const int workers : {2, 4}) {
    double sum = 0;
    constexpr int kGraphs = 60;
    for (uint64_t seed = 0; seed < kGraphs; ++seed) {
      const TimedGraph timed =
          random_unit_graph({.units = 8, .density = 0.25, .workers = workers}, seed);
      const double best = *optimum_ms(timed, workers, 10000000);
      const double found = makespan(timed, plan_of("beam", timed, workers));
      EXPECT_GE(found, best - 1e-9);
      sum += found / best;
    }
    EXPECT_LE(sum / kGraphs, 1.02) << workers;
  }
}

TEST(Selection, KeepsSequentialUnlessTheGainIsClear) {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  timed.add({.name = "a", .kind = "k"}, {.times_ms = {10, 9}});
  timed.add({.name = "b", .kind = "k"}, {.times_ms = {10, 9}});
  const auto select = [&] {
    return select_plan(timed, {plan_of("sequential", timed, 2), plan_of("dp", timed, 2)});
  };
  EXPECT_EQ(select().chosen, 1U);
  EXPECT_DOUBLE_EQ(select().speedups[1].ratio, 1.8);
  EXPECT_DOUBLE_EQ(select().speedups[1].low, 1.8);  // the times have no spread
  for (UnitTimes& unit : timed.times.units) unit.spread = 1.5;
  EXPECT_EQ(select().chosen, 0U);
  EXPECT_THAT(select().reason, HasSubstr("holds 0"));
  EXPECT_THAT(select().promising, IsEmpty());
  for (UnitTimes& unit : timed.times.units) unit = {.times_ms = {10, 5.1}};
  EXPECT_EQ(select().chosen, 0U);
  EXPECT_THAT(select().reason, HasSubstr("less than 3 %"));
  EXPECT_THAT(select().promising, IsEmpty());
}

TEST(Selection, ListsPlansThatGainTheFastestFirstAndEachOnce) {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  for (const char* name : {"a", "b", "c"}) {
    timed.add({.name = name, .kind = "k"}, {.times_ms = {10, 9}});
  }
  const ExecutionPlan best = plan_of("beam", timed, 2);
  ExecutionPlan again = best;
  again.planner = "again";
  ExecutionPlan half{.planner = "half",
                     .workers = 2,
                     .steps = {{.units = {0}, .workers = {0}, .waits = {}},
                               {.units = {1}, .workers = {1}, .waits = {}},
                               {.units = {2}, .workers = {0}, .waits = {}}}};
  ExecutionPlan slow = half;
  for (PlanStep& step : slow.steps) step.workers = {0};
  const PlanSelection selection =
      select_plan(timed, {plan_of("sequential", timed, 2), slow, half, best, again});
  EXPECT_DOUBLE_EQ(selection.speedups[2].ratio, 27.0 / 20);
  EXPECT_GT(selection.speedups[3].ratio, selection.speedups[2].ratio);
  EXPECT_THAT(selection.promising, ElementsAre(3, 2));
  EXPECT_EQ(selection.chosen, 3U);
}

}  // namespace
}  // namespace opbench
