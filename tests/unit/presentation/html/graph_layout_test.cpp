#include "presentation/html/graph_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "measuring/results/call_steps.h"
#include "page_profile.h"

namespace opbench {
namespace {

LayeredGraph chain(size_t size) {
  LayeredGraph graph{.size = size, .edges = {}};
  for (size_t i = 1; i < size; ++i) graph.edges.emplace_back(i - 1, i);
  return graph;
}

/// Edges to one to three of the ten vertices before each.
LayeredGraph drawn_at_random(size_t size, uint64_t seed) {
  LayeredGraph graph{.size = size, .edges = {}};
  uint64_t state = seed;
  const auto next = [&](uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33U) % below;
  };
  for (size_t i = 1; i < size; ++i) {
    std::set<size_t> needs;
    for (uint64_t k = 0; k <= next(3); ++k) needs.insert(i - 1 - next(std::min<size_t>(i, 10)));
    for (const size_t need : needs) graph.edges.emplace_back(need, i);
  }
  return graph;
}

TEST(GraphLayout, DrawsAChainAsAStraightLine) {
  const GraphLayout layout = lay_out(chain(5), 100, 10);
  EXPECT_EQ(layout.layers, 5U);
  EXPECT_NEAR(layout.width, 100, 1e-9);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(layout.boxes[i].layer, i);
    EXPECT_NEAR(layout.boxes[i].x, 50, 1e-9);
  }
}

TEST(GraphLayout, PutsWhatNeedsNothingAboveItsReader) {
  const GraphLayout layout = lay_out({.size = 4, .edges = {{0, 1}, {1, 3}, {2, 3}}}, 100, 10);
  EXPECT_EQ(layout.boxes[2].layer, 1U);
  EXPECT_EQ(layout.layers, 3U);
}

TEST(GraphLayout, KeepsBoxesApartAndEdgesDown) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const LayeredGraph graph = drawn_at_random(60, seed);
    const GraphLayout layout = lay_out(graph, 100, 10);
    for (size_t a = 0; a < graph.size; ++a) {
      EXPECT_GE(layout.boxes[a].x, 50 - 1e-9);
      EXPECT_LE(layout.boxes[a].x, layout.width - 50 + 1e-9);
      for (size_t b = 0; b < a; ++b) {
        if (layout.boxes[a].layer != layout.boxes[b].layer) continue;
        EXPECT_GE(std::fabs(layout.boxes[a].x - layout.boxes[b].x), 110 - 1e-6);
      }
    }
    ASSERT_EQ(layout.ways.size(), graph.edges.size());
    for (const EdgeWay& way : layout.ways) {
      EXPECT_EQ(layout.boxes[way.to].layer - layout.boxes[way.from].layer + 1, way.x.size());
    }
  }
}

TEST(GraphLayout, GroupsChainsThenLayers) {
  EXPECT_EQ(grouped(chain(5), 5), (std::vector<size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(grouped(chain(5), 4), std::vector<size_t>(5, 0));
  // 0 → 1 → 2 → 4, 0 → 3 → 4: the middle of the first branch is one.
  const LayeredGraph fork{.size = 5, .edges = {{0, 1}, {1, 2}, {2, 4}, {0, 3}, {3, 4}}};
  EXPECT_EQ(grouped(fork, 4), (std::vector<size_t>{0, 1, 1, 3, 4}));
}

TEST(GraphLayout, GroupsToAtMostSoMany) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const LayeredGraph graph = drawn_at_random(900, seed);
    const std::vector<size_t> group = grouped(graph, 200);
    EXPECT_LE((std::set<size_t>(group.begin(), group.end())).size(), 200U);
    for (const auto& [from, to] : graph.edges) EXPECT_LE(group[from], group[to]);
  }
}

TEST(CallSteps, FollowTheOrderAndTheNodes) {
  ProfileResult result = page_profile("r1");
  const CallSteps call = steps_of(result.engines[0], result.graph);
  ASSERT_EQ(call.steps.size(), 3U);
  EXPECT_EQ(call.steps[0].unit->identity.operator_text, "pool");
  EXPECT_EQ(call.steps[2].needs, std::vector<size_t>{1});
  EXPECT_TRUE(call.has_needs);
}

TEST(CallSteps, FindNeedsThroughNodesWithoutUnit) {
  ProfileResult result = page_profile("r1");
  std::vector<ModelNode>& nodes = result.graph;
  nodes = {{"a", "MaxPool", {}},
           {"folded", "Mul", {"a"}},
           {"b", "Relu", {"folded"}},
           {"c", "Conv", {"b", "folded"}}};
  const CallSteps call = steps_of(result.engines[0], nodes);
  EXPECT_EQ(call.steps[1].needs, std::vector<size_t>{0});
  EXPECT_EQ(call.steps[2].needs, (std::vector<size_t>{0, 1}));
}

TEST(CallSteps, KnowThePartsOfANode) {
  ProfileResult result = page_profile("r1");
  std::vector<UnitResult>& units = result.engines[0].units;
  units[0].occurrences[0].nodes = {"lstm"};
  units[1].occurrences[0].nodes = {"lstm/input/mul"};
  result.graph = {{"a", "MaxPool", {}}, {"lstm", "LSTM", {"a"}}};
  const CallSteps call = steps_of(result.engines[0], result.graph);
  EXPECT_EQ(call.steps[1].needs, std::vector<size_t>{0});
  EXPECT_EQ(call.steps[2].needs, (std::vector<size_t>{0, 1}));
}

TEST(CallSteps, TakeTheOrderOfNodesWhereStepsAreNotKnown) {
  ProfileResult result = page_profile("r1");
  for (UnitResult& unit : result.engines[0].units) unit.occurrences[0].step.reset();
  const CallSteps call = steps_of(result.engines[0], result.graph);
  EXPECT_EQ(call.steps[0].unit->identity.operator_text, "pool");
  const CallSteps unknown = steps_of(result.engines[0], {});
  EXPECT_FALSE(unknown.has_order);
  EXPECT_EQ(unknown.steps[0].unit->identity.operator_text, "conv2d");
}

}  // namespace
}  // namespace opbench
