#include "planning/place/share_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "random_placement.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// Of every placement within the limits, counted up like a number.
double least_within(const PlacementProblem& problem, const ShareLimits& limits) {
  const std::vector<int> order = rank_order(problem);
  Placement placement(problem.size(), 0);
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    if (keeps_limits(limits, placement)) {
      least = std::min(least, cost_of(problem, order, placement).makespan_ms);
    }
    size_t at = 0;
    while (at < placement.size() && placement[at] + 1 == int(problem.devices.size())) {
      placement[at++] = 0;
    }
    if (at == placement.size()) return least;
    ++placement[at];
  }
}

std::string share_refusal(const PlacementProblem& problem, const std::vector<DeviceShare>& shares,
                          std::vector<int> fixed = {}) {
  const auto limits = limits_of(problem, shares, std::move(fixed));
  return limits ? "" : to_text(limits.error());
}

TEST(SharePlacement, IsTheShortestOfAllThatKeepTheShares) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const PlacementDraw draw{.units = 3 + seed % 7, .density = 0.3};
    const PlacementProblem problem = random_placement(draw, seed);
    for (const double percent : {0.0, 34.0, 50.0, 100.0}) {
      const ShareLimits limits =
          limits_of(problem, {{.device = static_cast<int>(seed % 2), .percent = percent}}).value();
      const Placement placement = share_placement(problem, limits);
      EXPECT_TRUE(keeps_limits(limits, placement));
      const double found = cost_of(problem, rank_order(problem), placement).makespan_ms;
      EXPECT_NEAR(found, least_within(problem, limits), 1e-9) << percent;
    }
  }
}

TEST(SharePlacement, KeepsSharesOfSeveralDevicesAndUnitsThatOneAloneRuns) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const PlacementProblem problem =
        random_placement({.devices = 3, .units = 6, .density = 0.2}, seed);
    std::vector<int> fixed(problem.size(), -1);
    fixed[seed % 6] = 0;
    const ShareLimits limits =
        limits_of(problem, {{.device = 1, .percent = 30}, {.device = 2, .percent = 20}}, fixed)
            .value();
    const Placement placement = share_placement(problem, limits);
    EXPECT_TRUE(keeps_limits(limits, placement));
    EXPECT_EQ(placement[seed % 6], 0);
    const double found = cost_of(problem, rank_order(problem), placement).makespan_ms;
    EXPECT_LE(found, 1.05 * least_within(problem, limits));
  }
}

// Nobody would choose a device that is slower by an order for a unit.
TEST(SharePlacement, GivesASlowDeviceTheUnitsThatCostLeast) {
  PlacementProblem problem{.devices = {"fast", "slow"}};
  for (int i = 0; i < 60; ++i) {
    GraphUnit unit{.name = std::to_string(i)};
    if (i > 0) unit.needs = {{i - 1}};
    const double ms = i % 3 == 0 ? 0.1 : 2;
    problem.add(std::move(unit), {ms, 10 * ms});
  }
  const ShareLimits limits = limits_of(problem, {{.device = 1, .percent = 100.0 / 3}}).value();
  EXPECT_EQ(limits.least, (std::vector<int>{0, 20}));
  const Placement placement = share_placement(problem, limits);
  EXPECT_EQ(std::ranges::count(placement, 1), 20);
  for (size_t i = 0; i < placement.size(); ++i) EXPECT_EQ(placement[i], i % 3 == 0 ? 1 : 0) << i;
}

TEST(SharePlacement, CountsWholeUnitsRoundedUp) {
  const PlacementProblem problem = random_placement({.units = 3}, 1);
  EXPECT_EQ(limits_of(problem, {{.device = 1, .percent = 34}}).value().least,
            (std::vector<int>{0, 2}));
  EXPECT_EQ(limits_of(problem, {}).value().least, (std::vector<int>{0, 0}));
  EXPECT_THAT(share_refusal(problem, {{.device = 0, .percent = 50}, {.device = 1, .percent = 50}}),
              HasSubstr("more units than the model has\n  units: 3\n  at least: 2 on d0, 2 on d1"));
  EXPECT_THAT(share_refusal(problem, {{.device = 1, .percent = 50}}, {0, 0, -1}),
              HasSubstr("only 1 of 3 units have a kernel for d1"));
}

}  // namespace
}  // namespace opbench
