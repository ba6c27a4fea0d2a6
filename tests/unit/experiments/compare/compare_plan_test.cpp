#include "experiments/compare/compare_plan.h"

#include <gtest/gtest.h>

#include "variant_example.h"

namespace opbench {
namespace {

TEST(ComparePlan, MeasuresEveryRowAndTheModelOnAllSidesAndTheTwin) {
  const std::vector<PreparedVariant> sides = {example_variant(), example_variant(),
                                              example_variant()};
  const ComparePlan plan = plan_comparison(sides, {});
  ASSERT_EQ(plan.rows.size(), 4U);
  EXPECT_TRUE(plan.rows.back().is_model);
  ASSERT_EQ(plan.items.size(), 4U);
  EXPECT_EQ(plan.items[0].sides.size(), 4U);
  EXPECT_EQ(plan.rows[0].control, 3U);
  EXPECT_EQ(plan.engine_items[plan.items[0].sides[3]].engine, 3);
  EXPECT_EQ(plan.engine_items[plan.items[0].sides[1]].engine, 1);
  EXPECT_FALSE(plan.engine_items[plan.items[3].sides[0]].unit);
}

TEST(ComparePlan, MeasuresTheModelAloneWhereUnitsAreNotAskedFor) {
  const ComparePlan plan = plan_comparison({example_variant(), example_variant()},
                                           {.has_control = false, .has_units = false});
  ASSERT_EQ(plan.rows.size(), 1U);
  EXPECT_TRUE(plan.rows.front().is_model);
  EXPECT_EQ(plan.items.size(), 1U);
}

TEST(ComparePlan, MeasuresOneUnitWhereThatIsAskedFor) {
  const PreparedVariant side = example_variant();
  const ComparePlan plan =
      plan_comparison({side, side}, {.only = workload_text(side.units[1].identity)});
  ASSERT_EQ(plan.rows.size(), 1U);
  EXPECT_EQ(plan.rows[0].match.units.front(), 1U);
  EXPECT_TRUE(plan_comparison({side, side}, {.only = "no such unit"}).items.empty());
}

TEST(ComparePlan, LeavesOutASideThatFails) {
  std::vector<PreparedVariant> sides = {example_variant(), example_variant(), example_variant()};
  sides[1].units[0].failure = Failure{FailureKind::kWrongResult, "differs"};
  const ComparePlan plan = plan_comparison(sides, {.has_control = false});
  EXPECT_FALSE(plan.rows[0].place[1]);
  EXPECT_TRUE(plan.rows[0].failed[1]);
  EXPECT_EQ(plan.rows[0].reasons[1], "wrong_result: differs");
  EXPECT_EQ(plan.rows[0].place[2], 1U);
  EXPECT_FALSE(plan.rows[0].control);
}

TEST(ComparePlan, TakesARefusalForNoFailure) {
  std::vector<PreparedVariant> sides = {example_variant(), example_variant()};
  sides[1].units[1].failure = Failure{FailureKind::kUnsupported, "it has no ReLU"};
  const ComparePlan plan = plan_comparison(sides, {});
  EXPECT_FALSE(plan.rows[1].failed[1]);
  EXPECT_EQ(plan.rows[1].reasons[1], "unsupported: it has no ReLU");
}

TEST(ComparePlan, DoesNotMeasureWhatTheBaseCannotRun) {
  std::vector<PreparedVariant> sides = {example_variant(), example_variant()};
  sides[0].units[0].failure = Failure{FailureKind::kRunError, "it crashed"};
  const ComparePlan plan = plan_comparison(sides, {});
  EXPECT_FALSE(plan.rows[0].item);
  EXPECT_EQ(plan.rows[0].reasons[1], "run_error: it crashed");
  EXPECT_EQ(plan.items.size(), 3U);
}

TEST(ComparePlan, AnEngineWithoutModelsIsNoFailure) {
  std::vector<PreparedVariant> sides = {example_variant(), example_variant()};
  sides[1].has_model = sides[1].runs_models = false;
  sides[1].model_reason = "it runs single workloads, not models";
  const ComparePlan plan = plan_comparison(sides, {});
  EXPECT_FALSE(plan.rows.back().item);
  EXPECT_FALSE(plan.rows.back().failed[1]);
  EXPECT_EQ(plan.rows.back().reasons[1], "it runs single workloads, not models");
}

}  // namespace
}  // namespace opbench
