#include "experiments/place/place_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "planning/place/placement_methods.h"
#include "random_placement.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// A random problem as what was measured.
PlaceGraph graph_of(const PlacementProblem& problem, double error = 0) {
  PlaceGraph graph{.model = "m"};
  for (size_t d = 0; d < problem.devices.size(); ++d) {
    graph.devices.push_back({.name = "cpu" + std::to_string(d), .cpus = {static_cast<int>(d)}});
  }
  graph.devices.back().variant = "avx2";
  graph.transfer = {.latency_ms = 0.01, .ms_per_byte = 1e-6};
  for (size_t i = 0; i < problem.size(); ++i) {
    std::vector<double> errors_ms;
    for (const double time : problem.times_ms[i]) errors_ms.push_back(error * time);
    GraphUnit unit = problem.graph.units[i];
    for (UnitNeed& need : unit.needs) need.bytes = 10000;
    graph.add(std::move(unit), "", problem.times_ms[i], std::move(errors_ms));
  }
  return graph;
}

EnergyConstants constants() { return parse_energy(built_in_energy_text(), "built-in").value(); }

const PlaceCandidate& candidate(const PlaceStudy& study, const std::string& method) {
  return *std::ranges::find(study.candidates, method, &PlaceCandidate::method);
}

/// Calls `visit` with every placement.
template <class Visit>
void for_all_placements(size_t units, int devices, Visit visit) {
  Placement placement(units, 0);
  while (true) {
    visit(placement);
    size_t at = 0;
    while (at < units && placement[at] + 1 == devices) placement[at++] = 0;
    if (at == units) return;
    ++placement[at];
  }
}

TEST(PlaceStudy, FindsWhatCountingAllPlacementsFinds) {
  for (uint64_t seed = 0; seed < 25; ++seed) {
    const PlaceGraph graph =
        graph_of(random_placement({.units = 9, .affinity = 4, .density = 0.25}, seed));
    const auto study = study_places(graph, constants(), {});
    ASSERT_TRUE(study) << to_text(study.error());
    double shortest = 1e300;
    double least = 1e300;
    for_all_placements(9, 2, [&](const Placement& placement) {
      const FrontPoint point = front_point(study->problem, placement);
      shortest = std::min(shortest, point.makespan_ms);
      if (point.makespan_ms <= study->limit_ms * (1 + 1e-12)) {
        least = std::min(least, point.energy_mj);
      }
    });
    ASSERT_TRUE(study->optimum_ms);
    EXPECT_NEAR(*study->optimum_ms, shortest, 1e-9) << seed;
    EXPECT_LE(study->bound_ms, shortest + 1e-9);
    const FrontPoint& frugal = candidate(*study, "frugal").point;
    EXPECT_LE(frugal.makespan_ms, study->limit_ms * (1 + 1e-9));
    EXPECT_TRUE(study->is_frugal_optimal);
    EXPECT_NEAR(frugal.energy_mj, least, 1e-9 * least) << seed;
    for (const PlaceCandidate& one : study->candidates) {
      EXPECT_GE(one.point.makespan_ms, shortest - 1e-9) << one.method;
    }
  }
}

TEST(PlaceStudy, ListsEveryMethodBesideTheDevicesAlone) {
  const PlaceGraph graph = graph_of(random_placement({.units = 6, .density = 0.3}, 1));
  const auto study = study_places(graph, constants(), {});
  ASSERT_TRUE(study);
  std::vector<std::string> methods;
  for (const PlaceCandidate& one : study->candidates) methods.push_back(one.method);
  EXPECT_THAT(methods, testing::ElementsAre("all on cpu0", "all on cpu1", "own-fastest", "greedy",
                                            "heft", "equilibrium", "optimum", "frugal"));
}

TEST(PlaceStudy, CountsIdlePowerOnceAndBusyPowerByDevice) {
  PlacementProblem problem{.devices = {"a", "b"}};
  problem.add({.name = "x"}, {2, 4});
  problem.add({.name = "y", .needs = {{0}}}, {3, 6});
  const PlaceGraph graph = graph_of(problem);
  const auto study = study_places(graph, constants(), {});
  ASSERT_TRUE(study);
  // 2 + 3 ms by 6 W, and the other device idle at 1 W.
  EXPECT_NEAR(candidate(*study, "all on cpu0").point.energy_mj, 5 * 6 + 5 * 1, 1e-9);
  EXPECT_NEAR(candidate(*study, "all on cpu1").point.energy_mj, 10 * 4.5 + 10 * 1, 1e-9);
  const FrontPoint both = front_point(study->problem, {0, 1});
  EXPECT_NEAR(both.makespan_ms, 2 + 0.01 + 0.01 + 6, 1e-9);
  EXPECT_NEAR(both.energy_mj, 2 * (6 - 1) + 6 * (4.5 - 1) + 1e4 * 100 * 1e-9 + both.makespan_ms * 2,
              1e-9);
}

TEST(PlaceStudy, SaysWhenNoPlacementIsShortEnough) {
  const PlaceGraph graph = graph_of(random_placement({.units = 6}, 2));
  const auto study = study_places(graph, constants(), {.within_ms = 1e-6});
  ASSERT_TRUE(study);
  EXPECT_FALSE(study->is_limit_met);
  EXPECT_EQ(study->candidates.back().method, "optimum");
  EXPECT_TRUE(study->flips.empty());
}

TEST(PlaceStudy, LetsADecisionFlipWithAConstant) {
  // The frugal device is half as fast: whether it pays hangs on what it draws.
  PlacementProblem problem{.devices = {"a", "b"}};
  problem.add({.name = "x"}, {1, 2});
  const PlaceGraph graph = graph_of(problem);
  EnergyConstants energy = constants();
  energy.cpu = {.busy_w = 6, .idle_w = 1};
  energy.variants["avx2"] = {.busy_w = 3, .idle_w = 1};
  // On cpu0 6 + 1 mJ, on cpu1 2 × (3 + 1) = 8 mJ; with 1.5 W in place of 3 W only 5.
  const auto study = study_places(graph, energy, {.within_ms = 5.0});
  ASSERT_TRUE(study);
  EXPECT_EQ(candidate(*study, "frugal").point.placement, (Placement{0}));
  for (const EnergyFlip& flip : study->flips) {
    const bool is_flip = (flip.constant == "variant.avx2.busy_w" && flip.factor == 0.5) ||
                         (flip.constant == "cpu.busy_w" && flip.factor == 1.5);
    EXPECT_EQ(flip.moved_units, is_flip ? 1 : 0) << flip.constant << " " << flip.factor;
    EXPECT_LE(flip.new_mj, flip.kept_mj);
  }
  EXPECT_EQ(study->flips.size(), 10u);
}

TEST(PlaceStudy, GivesNoIntervalToTimesWithoutErrors) {
  const PlacementProblem problem = random_placement({.units = 7, .density = 0.3}, 5);
  const auto exact = study_places(graph_of(problem), constants(), {});
  const auto noisy = study_places(graph_of(problem, 0.05), constants(), {});
  ASSERT_TRUE(exact && noisy);
  const PlaceCandidate& one = candidate(*exact, "optimum");
  EXPECT_NEAR(one.low, one.speedup, 1e-9);
  EXPECT_NEAR(one.high, one.speedup, 1e-9);
  const PlaceCandidate& other = candidate(*noisy, "optimum");
  EXPECT_LT(other.low, other.high);
}

// Fields of milliseconds once held bytes, and every transfer was lost.
TEST(PlaceStudy, MakesEveryTransferOfItsBytes) {
  PlaceGraph graph = graph_of(random_placement({.units = 12, .density = 0.3}, 4));
  int64_t bytes = 0;
  for (GraphUnit& unit : graph.graph.units) {
    for (UnitNeed& need : unit.needs) need.bytes = bytes += 1000;
  }
  ASSERT_GT(bytes, 0);
  graph.transfer = {.latency_ms = 0.5, .ms_per_byte = 1e-3};
  const auto study = study_places(graph, constants(), {});
  ASSERT_TRUE(study) << to_text(study.error());
  EXPECT_EQ(study->problem.graph, graph.graph);
  int64_t expected = 0;
  for (const std::vector<EdgeTransfer>& unit : study->problem.transfers) {
    for (const EdgeTransfer& transfer : unit) {
      expected += 1000;
      EXPECT_DOUBLE_EQ(transfer.ms, 0.5 + static_cast<double>(expected) * 1e-3);
      EXPECT_DOUBLE_EQ(transfer.mj, static_cast<double>(expected) * 100 * 1e-9);
    }
  }
  EXPECT_EQ(expected, bytes);
}

TEST(PlaceStudy, RefusesAnEdgeWithoutBytes) {
  PlaceGraph graph = graph_of(random_placement({.units = 6, .density = 1}, 1));
  graph.graph.units[4].needs[2].bytes.reset();
  const auto study = study_places(graph, constants(), {});
  ASSERT_FALSE(study);
  EXPECT_THAT(study.error().message,
              HasSubstr("how many bytes unit 4 \"u4\" reads of unit 2 is not known"));
}

TEST(PlaceStudy, RefusesTimesThatCannotBe) {
  PlaceGraph graph = graph_of(random_placement({.units = 4}, 1));
  graph.times_ms[2][1] = 0;
  const auto study = study_places(graph, constants(), {});
  ASSERT_FALSE(study);
  EXPECT_THAT(study.error().message, HasSubstr("unit 2 \"u2\""));
}

}  // namespace
}  // namespace opbench
