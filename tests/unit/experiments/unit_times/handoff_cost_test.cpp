#include "experiments/unit_times/handoff_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

TEST(HandoffCost, IsMeasuredWhereThePaceIsKnown) {
  const HandoffCost cost = handoff_cost_of(54.0, {.ns_per_byte = 0.024, .reason = ""}, {});
  EXPECT_DOUBLE_EQ(cost.latency_ms, 108e-6);
  EXPECT_DOUBLE_EQ(cost.ms_per_byte, 0.024e-6);
  EXPECT_EQ(cost.source, "a line there and back 108 ns, measured; a byte 0.0240 ns, measured");
}

// A pace that could not be told from 0 made all transfers of a plan free, without a word.
TEST(HandoffCost, IsModelledWhereThePaceIsNotKnown) {
  const HandoffCost cost =
      handoff_cost_of(54.0, {{}, "it cannot be told from 0"}, BandwidthCeiling{"L3", 0, 20, 30});
  EXPECT_DOUBLE_EQ(cost.ms_per_byte, 0.05e-6);
  EXPECT_THAT(cost.source, HasSubstr("a byte 0.0500 ns, modelled by L3 at 20.0 GB/s; measured: it "
                                     "cannot be told from 0"));
}

TEST(HandoffCost, SaysWhatIsFree) {
  const HandoffCost cost = handoff_cost_of({}, {{}, "other work has the CPUs"}, {});
  EXPECT_EQ(cost.latency_ms, 0);
  EXPECT_EQ(cost.ms_per_byte, 0);
  EXPECT_THAT(cost.source, HasSubstr("so hand-offs are free; bytes are free"));
  EXPECT_THAT(cost.source, HasSubstr("measured: other work has the CPUs"));
}

TEST(HandoffCost, IsNoneOfOneWorker) {
  const auto cost = measured_handoff_cost({0}, {}, {});
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->ms_per_byte, 0);
  EXPECT_EQ(cost->source, "");
}

TEST(EdgeCosts, AreMadeOfTheBytesOfEachEdge) {
  UnitGraph graph{.units = {{.name = "a"}, {.name = "b", .needs = {{0, 1000}}}}};
  graph.units.push_back({.name = "c", .needs = {{0, 0}, {1, 64}}});
  const HandoffCost handoff{.latency_ms = 0.5, .ms_per_byte = 0.01};
  const auto costs = edge_costs_of(graph, handoff);
  ASSERT_TRUE(costs) << to_text(costs.error());
  EXPECT_EQ(*costs, (EdgeCosts{{}, {{0.5, 10}}, {{0.5, 0}, {0.5, 0.64}}}));
  graph.units[2].needs[1].bytes.reset();
  EXPECT_THAT(edge_costs_of(graph, handoff).error().message,
              HasSubstr("how many bytes unit 2 \"c\" reads of unit 1 is not known"));
}

}  // namespace
}  // namespace opbench
