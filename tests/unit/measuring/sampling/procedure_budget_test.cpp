#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "measuring/sampling/procedure.h"
#include "simulated_machine.h"

namespace opbench {
namespace {

/// Units of 5 µs to 3 ms, and one of 20 ms.
std::vector<double> calls_of_a_model() {
  std::vector<double> calls;
  for (int i = 0; i < 30; ++i) calls.push_back(5e-6 * std::pow(600, i / 29.0));
  calls.push_back(0.02);
  return calls;
}

std::vector<SamplingItem> procedure_budget_items_of(const std::vector<double>& calls) {
  std::vector<SamplingItem> items;
  for (const double call : calls) {
    items.push_back({.id = "u", .expected_s = call, .weight = call});
  }
  return items;
}

int64_t samples_in(const ItemResult& item, int process) {
  return std::ranges::count_if(item.time->samples,
                               [&](const Sample& sample) { return sample.process == process; });
}

TEST(ProcedureBudget, GivesEveryUnitThreeSamplesInOneProcessHoweverSmallTheBudget) {
  const std::vector<double> calls = calls_of_a_model();
  SimulatedMachine machine(calls, {}, 1);
  const SamplingResult result =
      sample_items(procedure_budget_items_of(calls), machine, machine, {.budget = Seconds(0.2)});
  for (const ItemResult& item : result.items) {
    ASSERT_TRUE(item.time);
    EXPECT_EQ(item.time->stop_reason, "budget");
    EXPECT_GE(samples_in(item, 0), 3);
  }
  EXPECT_LT(result.spent.count(), 0.7);
}

TEST(ProcedureBudget, IsKeptWhereEveryVisitTakesLongerThanItsCalls) {
  const std::vector<double> calls(60, 2e-5);
  for (const double visit_s : {0.012, 0.05}) {
    SimulatedMachine machine(calls, {}, 1);
    machine.visit_s = visit_s;
    const SamplingResult result =
        sample_items(procedure_budget_items_of(calls), machine, machine, {.budget = Seconds(8)});
    EXPECT_LT(result.spent.count(), 10) << visit_s;
    for (const ItemResult& item : result.items) EXPECT_TRUE(item.time);
  }
}

TEST(ProcedureBudget, IsKeptByUnitsWhoseCallsAreSlow) {
  const std::vector<double> calls(8, 0.25);
  SimulatedMachine machine(calls, {}, 1);
  const SamplingResult result =
      sample_items(procedure_budget_items_of(calls), machine, machine, {.budget = Seconds(20)});
  EXPECT_LT(result.spent.count(), 21);
  for (const ItemResult& item : result.items) EXPECT_TRUE(item.time);
}

TEST(ProcedureBudget, LeavesOutWhatIsOptionalOnceItIsSpent) {
  const std::vector<double> calls(8, 0.5);
  std::vector<SamplingItem> items = procedure_budget_items_of(calls);
  for (SamplingItem& item : items) item.is_optional = true;
  items[3].is_optional = false;
  SimulatedMachine machine(calls, {}, 1);
  const SamplingResult result = sample_items(items, machine, machine, {.budget = Seconds(4)});
  EXPECT_TRUE(result.items[3].time);
  EXPECT_LT(result.spent.count(), 8.5);
  EXPECT_TRUE(std::ranges::any_of(
      result.items, [](const ItemResult& item) { return !item.time && !item.failure; }));
  EXPECT_TRUE(
      std::ranges::none_of(result.items, [](const ItemResult& item) { return !!item.failure; }));
}

TEST(ProcedureBudget, DoesNotChangeTheNumberOfRunsThatIsAskedFor) {
  const std::vector<double> calls = {1e-3, 0.02};
  SimulatedMachine machine(calls, {}, 1);
  const SamplingResult result = sample_items(procedure_budget_items_of(calls), machine, machine,
                                             {.budget = Seconds(0.01), .runs = 20});
  for (const ItemResult& item : result.items) {
    ASSERT_TRUE(item.time);
    EXPECT_EQ(item.time->samples.size(), 20U);
    EXPECT_EQ(item.time->stop_reason, "runs");
    EXPECT_EQ(samples_in(item, 0), 7);
    EXPECT_EQ(samples_in(item, 2), 6);
  }
}

TEST(ProcedureBudget, TimesSingleCallsForPercentiles) {
  const std::vector<double> calls = {1e-4};
  SimulatedMachine machine(calls, {}, 1);
  const SamplingResult result = sample_items(procedure_budget_items_of(calls), machine, machine,
                                             {.times_single_calls = true});
  EXPECT_EQ(result.items[0].time->number, 1);
}

}  // namespace
}  // namespace opbench
