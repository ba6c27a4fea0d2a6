#include <gtest/gtest.h>

#include <cmath>

#include "experiments/compare/compare_judge.h"
#include "simulated_machine.h"
#include "variant_example.h"

namespace opbench {
namespace {

/// A base, two new sides of 1.3 and 2.6 times its time, and the A/A control, on a machine that
/// others use.
PairedResult measured(const ComparePlan& plan, const SimulatedNoise& noise, uint64_t seed) {
  const std::vector<double> sides = {1, 1.3, 2.6, 1};
  std::vector<double> calls(plan.engine_items.size());
  for (size_t item = 0; item < plan.items.size(); ++item) {
    for (size_t side = 0; side < plan.items[item].sides.size(); ++side) {
      calls[plan.items[item].sides[side]] = 1e-4 * static_cast<double>(item + 1) * sides[side];
    }
  }
  SimulatedMachine machine(std::move(calls), noise, seed);
  return measure_pairs(plan.items, machine, machine, {.budget = Seconds(2), .seed = seed});
}

std::vector<SimulatedNoise> busy_machines() {
  return {{.white = 0.05},
          {.white = 0.02, .drift_per_s = 0.2},
          {.white = 0.02, .process_bias = 0.05, .wander = 0.2, .wander_s = 0.05},
          {.white = 0.02, .bursts_per_s = 10, .burst_s = 0.05, .burst_factor = 3},
          {.white = 0.05,
           .bursts_per_s = 10,
           .burst_s = 0.1,
           .burst_factor = 2,
           .bursts_are_seen = false}};
}

void expect_agreement(const CompareUnit& unit) {
  if (!unit.ratio) return;
  const double shown = unit.candidate->median_ms / unit.base->median_ms;
  EXPECT_NEAR(shown, unit.ratio->median, 1e-9 * shown);
  EXPECT_GE(shown, unit.ratio->low * (1 - 1e-9));
  EXPECT_LE(shown, unit.ratio->high * (1 + 1e-9));
  EXPECT_LE(unit.base->low_ms, unit.base->median_ms);
  EXPECT_GE(unit.base->high_ms, unit.base->median_ms);
}

TEST(ComparedTimes, AgreeWithTheRatioThatIsShownBesideThem) {
  const std::vector<PreparedVariant> sides(3, example_variant());
  const ComparePlan plan = plan_comparison(sides, {});
  uint64_t seed = 0;
  for (const SimulatedNoise& noise : busy_machines()) {
    for (int trial = 0; trial < 10; ++trial) {
      const PairedResult times = measured(plan, noise, ++seed);
      const FloorRun control = control_of(sides, plan, times, "", "hostile");
      const JudgeInputs inputs{sides, plan, times, control, {}, 0.02, seed};
      for (const size_t side : {1, 2}) {
        const Comparison pair = compare_with_base(side, inputs);
        for (const CompareUnit& unit : pair.units) expect_agreement(unit);
        expect_agreement(pair.model);
      }
    }
  }
}

TEST(ComparedTimes, OrderTwoNewSidesByTheirOwnRatio) {
  const std::vector<PreparedVariant> sides(3, example_variant());
  const ComparePlan plan = plan_comparison(sides, {});
  const PairedResult times = measured(plan, {.white = 0.01}, 7);
  const FloorRun control = control_of(sides, plan, times, "", "quiet");
  const Comparison pair = compare_new_sides(1, 2, {sides, plan, times, control, {}, 0.02, 7});
  EXPECT_EQ(pair.base, 1U);
  EXPECT_EQ(pair.candidate, 2U);
  ASSERT_FALSE(pair.units.empty());
  for (const CompareUnit& unit : pair.units) {
    ASSERT_TRUE(unit.ratio);
    EXPECT_NEAR(unit.ratio->median, 2, 0.05);
    EXPECT_LT(unit.ratio->low, unit.ratio->high);
  }
}

TEST(ComparedTimes, HaveTheRemarksOfBothSides) {
  std::vector<PreparedVariant> sides(3, example_variant());
  for (size_t side : {0, 1}) sides[side].units[0].remark = "other is wrong here";
  sides[1].info.check = {"halide", 0.5, false, "the others are checked against it"};
  const ComparePlan plan = plan_comparison(sides, {});
  const PairedResult times = measured(plan, {.white = 0.05}, 1);
  const FloorRun control = control_of(sides, plan, times, "", "hostile");
  const JudgeInputs inputs{sides, plan, times, control, {}, 0.02, 1};
  const Comparison pair = compare_with_base(1, inputs);
  EXPECT_EQ(pair.model.remark, "halide is wrong: the others are checked against it");
  size_t remarks = 0;
  for (const CompareUnit& unit : pair.units) remarks += unit.remark == "other is wrong here";
  EXPECT_EQ(remarks, 1U);
  EXPECT_EQ(compare_with_base(2, inputs).model.remark, "");
}

}  // namespace
}  // namespace opbench
