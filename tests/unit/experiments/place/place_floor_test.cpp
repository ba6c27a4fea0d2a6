#include "experiments/place/place_floor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "experiments/place/place_study.h"
#include "random_placement.h"
#include "test_form.h"

namespace opbench {
namespace {

using ::testing::AnyOf;

EnergyConstants built_in_energy() {
  return parse_energy(built_in_energy_text(), "built-in").value();
}

/// A chain of units on two equal devices, each time with so much chance, and the A/A control.
PlaceGraph equal_devices(uint64_t seed, double chance, double transfer_ms) {
  constexpr int kUnits = 30;
  Random random(seed, "equal devices");
  PlaceGraph graph{.model = "m", .transfer = {.latency_ms = transfer_ms}};
  graph.devices = {{.name = "cpu0", .cpus = {0}}, {.name = "cpu1", .cpus = {1}}};
  graph.devices[1].common_error = chance / 3;
  PlaceControl control{.device = "cpu0", .low = 1 - chance / 2, .high = 1 + chance / 2};
  for (int i = 0; i < kUnits; ++i) {
    const double true_ms = 0.2 + 0.1 * (i % 7);
    const auto drawn = [&] { return true_ms * (1 + chance * double{random.normal()}); };
    GraphUnit unit{.name = "u" + std::to_string(i)};
    if (i > 0) unit.needs = {{i - 1, 10000}};
    const double error_ms = 0.2 * chance * true_ms;
    graph.add(std::move(unit), "", {drawn(), drawn()}, {error_ms, error_ms});
    control.times_ms.push_back(drawn());
  }
  graph.control = std::move(control);
  return graph;
}

TEST(PlaceVerdict, CallsNoPlacementOnEqualDevicesFaster) {
  const auto seeds = by_form<uint64_t>(6, 20);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    for (const double transfer_ms : {0.0, 0.01}) {
      const PlaceGraph graph = equal_devices(seed, 0.06, transfer_ms);
      const auto study = study_places(graph, built_in_energy(), {});
      ASSERT_TRUE(study) << to_text(study.error());
      for (const PlaceCandidate& one : study->candidates) {
        if (one.method == "own-fastest") continue;  // pays for any number of transfers
        EXPECT_THAT(one.verdict, AnyOf("same", "inconclusive"))
            << seed << " " << one.method << " " << one.low << " to " << one.high;
      }
    }
  }
}

TEST(PlaceVerdict, FindsWhatIsFasterThanChance) {
  PlaceGraph graph = equal_devices(1, 0.01, 0.001);
  for (size_t i = 0; i < graph.size(); ++i) {
    graph.times_ms[i][i % 2] *= 2;
    if (i % 2 == 0) graph.control->times_ms[i] *= 2;
  }
  const auto study = study_places(graph, built_in_energy(), {});
  ASSERT_TRUE(study) << to_text(study.error());
  const auto optimum = std::ranges::find(study->candidates, "optimum", &PlaceCandidate::method);
  ASSERT_NE(optimum, study->candidates.end());
  EXPECT_EQ(optimum->verdict, "faster");
}

TEST(PlaceVerdict, HasAFloorOfTwoPercentWhereTheControlIsExact) {
  PlaceGraph graph = equal_devices(1, 0, 0.001);
  EXPECT_DOUBLE_EQ(place_floor(graph).floor, 0.02);
  EXPECT_DOUBLE_EQ(place_floor(graph).unit_error, 0);
  graph.control->high = 1.05;
  EXPECT_NEAR(place_floor(graph).floor, 0.05, 1e-9);
  graph.control.reset();
  EXPECT_EQ(place_floor(graph).floor, 0);
}

/// Whether a result changes devices.
bool uses_link(const PlaceGraph& graph, const Placement& placement) {
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.graph.units[i].needs) {
      if (placement[static_cast<size_t>(need.unit)] != placement[i]) return true;
    }
  }
  return false;
}

// Bytes of 0 let a link of 1 kB/s "gain" 1.40 ×.
TEST(PlaceVerdict, NeverTakesALinkOf1KilobyteASecond) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const PlacementProblem problem =
        random_placement({.units = 10, .affinity = 4, .density = 0.3}, seed);
    PlaceGraph graph{.model = "m", .transfer = {.ms_per_byte = 1}};
    graph.devices = {{.name = "cpu0", .cpus = {0}}, {.name = "cpu1", .cpus = {1}}};
    for (size_t i = 0; i < problem.size(); ++i) {
      GraphUnit unit = problem.graph.units[i];
      for (UnitNeed& need : unit.needs) need.bytes = 10000;
      graph.add(std::move(unit), "", problem.times_ms[i], {0, 0});
    }
    const auto study = study_places(graph, built_in_energy(), {});
    ASSERT_TRUE(study) << to_text(study.error());
    for (const PlaceCandidate& one : study->candidates) {
      if (one.method != "optimum" && one.method != "frugal") continue;
      EXPECT_FALSE(uses_link(graph, one.point.placement)) << seed << " " << one.method;
    }
  }
}

}  // namespace
}  // namespace opbench
