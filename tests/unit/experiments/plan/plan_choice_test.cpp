#include "experiments/plan/plan_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// Sequential and two plans that promise more.
PlanResult promising_plans() {
  PlanResult result;
  for (const char* planner : {"sequential", "dp", "list"}) {
    PlanCandidate& one = result.candidates.emplace_back();
    one.plan.planner = planner;
    one.timeline.makespan_ms = 10.0 - static_cast<double>(result.candidates.size());
  }
  result.chosen = 2;
  result.promising = {2, 1};
  result.file.plan = result.candidates[2].plan;
  return result;
}

MeasuredSpeedup faster_by(double speedup) {
  return {.speedup = speedup, .low = 1.1, .high = 2, .verdict = "faster"};
}

TEST(PlanChoice, KeepsTheFastestPlanThatStaysFaster) {
  PlanResult result = promising_plans();
  const auto run = [&](size_t at) -> Result<void> {
    result.candidates[at].measured = faster_by(at == 1 ? 1.4 : 1.2);
    return {};
  };
  ASSERT_TRUE(confirm_choice(
      3, run, [] { return false; }, result));
  EXPECT_EQ(result.chosen, 1U);
  EXPECT_EQ(result.file.plan.planner, "dp");
}

TEST(PlanChoice, KeepsSequentialWhenItIsInterrupted) {
  PlanResult result = promising_plans();
  int runs = 0;
  const auto run = [&](size_t at) -> Result<void> {
    if (++runs == 2) return Error{ErrorCode::kInterrupted, "interrupted before measuring"};
    result.candidates[at].measured = faster_by(1.4);
    return {};
  };
  ASSERT_TRUE(confirm_choice(
      3, run, [&] { return runs == 2; }, result));
  EXPECT_EQ(result.chosen, 0U);
  EXPECT_EQ(result.file.plan.planner, "sequential");
  EXPECT_FALSE(result.file.measured);
  EXPECT_THAT(result.file.reason, HasSubstr("interrupted before another plan was confirmed"));
}

}  // namespace
}  // namespace opbench
