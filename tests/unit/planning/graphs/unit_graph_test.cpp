#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "planning/graphs/ceiling.h"
#include "planning/graphs/declared_scaling.h"
#include "planning/graphs/slowed_graph.h"
#include "planning/graphs/timed_graph.h"
#include "random_unit_graph.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// 0 → {1, 2} → 3 → 4
TimedGraph diamond() {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  timed.add({.name = "a", .kind = "k"}, {.times_ms = {2, 1}});
  timed.add({.name = "b", .kind = "k", .needs = {{0}}}, {.times_ms = {4, 3}});
  timed.add({.name = "c", .kind = "k", .needs = {{0}}}, {.times_ms = {4, 3}});
  timed.add({.name = "d", .kind = "k", .needs = {{1}, {2}}}, {.times_ms = {2, 1}});
  timed.add({.name = "e", .kind = "k", .needs = {{3}}}, {.times_ms = {2, 2}});
  return timed;
}

TEST(UnitGraph, IsCutWhereEverythingLaterNeedsEverythingEarlier) {
  EXPECT_THAT(pieces_of(diamond().graph),
              ElementsAre(ElementsAre(0), ElementsAre(1, 2), ElementsAre(3), ElementsAre(4)));
  UnitGraph skipped = diamond().graph;
  skipped.units[2].needs.clear();  // 2 no longer needs 0, and 3 needs all
  EXPECT_THAT(pieces_of(skipped),
              ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3), ElementsAre(4)));
}

TEST(UnitGraph, CutsExactlyAtTheDefinitionOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const UnitGraph graph = random_unit_graph({.units = 9, .density = 0.5}, seed).graph;
    const auto ancestors = ancestors_of(graph);
    std::vector<std::vector<int>> expected;
    for (size_t i = 0; i < graph.size(); ++i) {
      bool is_cut = true;
      for (size_t later = i; later < graph.size(); ++later) {
        for (size_t earlier = 0; earlier < i; ++earlier) {
          is_cut = is_cut && ancestors[later][earlier];
        }
      }
      if (is_cut) expected.emplace_back();
      expected.back().push_back(static_cast<int>(i));
    }
    EXPECT_EQ(pieces_of(graph), expected) << seed;
  }
}

TEST(UnitGraph, RefusesWhatIsNoGraph) {
  EXPECT_TRUE(check_graph(diamond().graph));
  const auto message = [](std::vector<UnitNeed> needs) {
    UnitGraph graph = diamond().graph;
    graph.units[3].needs = std::move(needs);
    const Result<void> checked = check_graph(graph);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(message({{1, 0}, {2, 64}}), "") << "a need may carry nothing";
  EXPECT_THAT(message({{3}}),
              HasSubstr("unit 3 \"d\" needs unit 3, which does not come before it"));
  EXPECT_THAT(message({{-1}}), HasSubstr("unit -1"));
  EXPECT_THAT(message({{1}, {1}}), HasSubstr("twice"));
  EXPECT_THAT(message({{1, -64}}), HasSubstr("unit 3 \"d\" reads -64 bytes of unit 1"));
}

TEST(TimedGraph, NumbersTheUnitsOfAPartFromZero) {
  TimedGraph timed = diamond();
  timed.times.merges = {{.units = {1, 2}, .times_ms = {7, 5}}};
  timed.graph.units[3].needs = {{0, 8}, {1, 16}, {2}};
  timed.costs[3] = {{.handoff_ms = 1}, {.handoff_ms = 2}, {.handoff_ms = 3}};
  const TimedGraph part = subgraph_of(timed, {1, 2, 3});
  EXPECT_EQ(part.unit(2).needs, (std::vector<UnitNeed>{{0, 16}, {1}}));
  EXPECT_EQ(part.costs[2], (std::vector<EdgeCost>{{.handoff_ms = 2}, {.handoff_ms = 3}}));
  EXPECT_TRUE(part.unit(0).needs.empty());
  EXPECT_EQ(part.times_of(2), timed.times_of(3));
  EXPECT_EQ(part.times.merges.front().units, (std::vector<int>{0, 1}));
  EXPECT_TRUE(check_timed(part));
  EXPECT_TRUE(subgraph_of(timed, {0, 1}).times.merges.empty());
}

TEST(TimedGraph, RefusesTablesThatDoNotFit) {
  EXPECT_TRUE(check_timed(diamond()));
  const auto message = [](auto change) {
    TimedGraph timed = diamond();
    change(timed);
    const Result<void> checked = check_timed(timed);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_THAT(message([](TimedGraph& g) { g.graph.units[1].needs = {{3}}; }),
              HasSubstr("unit 1 \"b\" needs unit 3, which does not come before it"));
  EXPECT_THAT(message([](TimedGraph& g) { g.times.units[3].times_ms = {1}; }),
              HasSubstr("every team"));
  EXPECT_THAT(message([](TimedGraph& g) { g.times.units[3].times_ms[0] = 0; }),
              HasSubstr("above 0"));
  EXPECT_THAT(message([](TimedGraph& g) { g.times.teams = {2, 1}; }), HasSubstr("sizes of teams"));
  EXPECT_THAT(message([](TimedGraph& g) { g.costs[3][0].handoff_ms = -1; }), HasSubstr("hand-off"));
  EXPECT_THAT(message([](TimedGraph& g) { g.costs[3][1].transfer_ms = -1; }),
              HasSubstr("transfer"));
  EXPECT_THAT(message([](TimedGraph& g) { g.costs[3].pop_back(); }),
              HasSubstr("unit 3 \"d\" does not have a cost for each edge"));
  EXPECT_THAT(message([](TimedGraph& g) { g.times.units.pop_back(); }),
              HasSubstr("5 units, times of 4 and costs of edges of 5"));
  EXPECT_THAT(message([](TimedGraph& g) {
                g.times.merges = {{{1, 3}, {1, 1}}};
              }),
              HasSubstr("depend on each other"));
  EXPECT_THAT(message([](TimedGraph& g) {
                g.times.merges = {{{1}, {1, 1}}};
              }),
              HasSubstr("merged"));
}

TEST(Ceiling, IsTheLargerOfAreaAndPath) {
  const Ceiling ceiling = ceiling_of(diamond(), 2);
  EXPECT_DOUBLE_EQ(ceiling.sequential_ms, 1 + 3 + 3 + 1 + 2);
  EXPECT_DOUBLE_EQ(ceiling.area_ms, (2 + 4 + 4 + 2 + 2) / 2.0);
  EXPECT_DOUBLE_EQ(ceiling.path_ms, 1 + 3 + 1 + 2);
  EXPECT_DOUBLE_EQ(ceiling.bound_ms, 7);
  EXPECT_DOUBLE_EQ(ceiling.h(), 10.0 / 7);
  // The pieces: 1, then two units of 4 side by side, 1, 2.
  EXPECT_DOUBLE_EQ(ceiling.pieces_ms, 8);
  EXPECT_DOUBLE_EQ(ceiling.h_by_pieces(), 1.25);
}

TEST(Ceiling, IsNeverBelowOneAndByPiecesNeverAbove) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    for (const int workers : {1, 2, 4}) {
      const TimedGraph timed =
          random_unit_graph({.units = 10, .density = 0.4, .workers = workers}, seed);
      const Ceiling ceiling = ceiling_of(timed, workers);
      EXPECT_GE(ceiling.h(), 1 - 1e-9);
      EXPECT_LE(ceiling.h_by_pieces(), ceiling.h() + 1e-9);
      EXPECT_GE(ceiling.h_by_pieces(), 1 - 1e-9);
    }
  }
}

TEST(SlowedGraph, TakesTheLeastSlowdownOfUnitsThatMayRunBeside) {
  // 1 and 2 may run side by side, and nothing else.
  const PairSlowdown slowdown = [](int unit, int beside) { return 1 + 0.1 * unit + 0.01 * beside; };
  const std::vector<double> least = least_slowdowns(diamond().graph, slowdown);
  EXPECT_THAT(least, testing::Pointwise(testing::DoubleEq(), {1.0, 1.12, 1.21, 1.0, 1.0}));
  const TimedGraph slowed = slowed_graph(diamond(), 2, least);
  EXPECT_DOUBLE_EQ(slowed.times_of(1).times_ms[0], diamond().times_of(1).times_ms[0] * 1.12);
  EXPECT_EQ(slowed.times_of(1).times_ms[1], diamond().times_of(1).times_ms[1]) << "on all workers";
  EXPECT_EQ(slowed_graph(diamond(), 1, least), diamond()) << "one worker has nobody beside it";
}

TEST(SlowedGraph, CountsWhatIsBelowOneAsOne) {
  const auto least = least_slowdowns(diamond().graph, [](int, int) { return 0.5; });
  EXPECT_THAT(least, testing::Each(1.0));
}

TEST(Ceiling, CountsWeightsThatOneWorkerReadsAgain) {
  TimedGraph timed = diamond();
  for (const size_t unit : {1U, 2U}) {
    timed.graph.units[unit].weights = 0;
    timed.times.units[unit].reuse_ms = 2.5;
  }
  const Ceiling ceiling = ceiling_of(timed, 2);
  EXPECT_DOUBLE_EQ(ceiling.sequential_ms, ceiling_of(diamond(), 2).sequential_ms);
  EXPECT_DOUBLE_EQ(ceiling.area_ms, (2 + 1.5 + 1.5 + 2 + 2) / 2.0);
}

TEST(Ceiling, CountsSlowdownsOrIdleWorkers) {
  // The two units of 4 take 4 × 1.25 side by side, or 3 with the team of two.
  const Ceiling ceiling = ceiling_of(diamond(), 2, {1, 1.25, 1.25, 1, 1});
  EXPECT_DOUBLE_EQ(ceiling.area_ms, (2 + 5 + 5 + 2 + 2) / 2.0);
  EXPECT_DOUBLE_EQ(ceiling.path_ms, ceiling_of(diamond(), 2).path_ms);
  EXPECT_DOUBLE_EQ(ceiling_of(diamond(), 2, {1, 9, 9, 1, 1}).area_ms, (2 + 6 + 6 + 2 + 2) / 2.0);
}

TEST(Ceiling, GivesNoPlanMoreWithSlowdowns) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    for (const int workers : {2, 4}) {
      const TimedGraph timed =
          random_unit_graph({.units = 10, .density = 0.2, .workers = workers}, seed);
      const std::vector<double> none(timed.size(), 1);
      EXPECT_DOUBLE_EQ(ceiling_of(timed, workers, none).pieces_ms,
                       ceiling_of(timed, workers).pieces_ms);
      const auto least = least_slowdowns(timed.graph, [](int unit, int beside) {
        return 1 + 0.05 * ((unit * 7 + beside * 3) % 10);
      });
      EXPECT_GE(ceiling_of(timed, workers, least).pieces_ms,
                ceiling_of(timed, workers).pieces_ms - 1e-9);
    }
  }
}

TEST(DeclaredScaling, FollowsItsLaw) {
  const ScalingLaw amdahl{.contention = 0.1};
  EXPECT_DOUBLE_EQ(amdahl.time_ms(10, 1), 10);
  EXPECT_DOUBLE_EQ(amdahl.time_ms(10, 5), 10 * (0.1 + 0.9 / 5));
  TimedGraph timed = with_declared_scaling(diamond(), 6, 0.5);
  EXPECT_EQ(timed.times.teams, (std::vector<int>{1, 2, 4, 6}));
  EXPECT_TRUE(check_timed(timed));
  EXPECT_DOUBLE_EQ(timed.times_of(0).times_ms[0], 2);
  EXPECT_DOUBLE_EQ(timed.times_of(0).times_ms[1], declared_law("k").time_ms(2, 2) + 0.5);
}

}  // namespace
}  // namespace opbench
