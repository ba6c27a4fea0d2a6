#include "benchmarks/verdicts/exchanged_sides.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "variant_example.h"

namespace opbench {
namespace {

constexpr int kProcesses = 4;

/// Base, a new side and the A/A control in every row.
ComparePlan example_plan() { return plan_comparison({example_variant(), example_variant()}, {}); }

/// Two rounds a process; every process has a time of its own on every side.
PairedResult example_times(const ComparePlan& plan) {
  PairedResult result;
  for (size_t item = 0; item < plan.items.size(); ++item) {
    PairedTimes times;
    times.log_ratios.resize(2);
    for (int process = 0; process < kProcesses; ++process) {
      const double base = static_cast<double>(item) + 0.1 * process;
      for (const double later : {0.001, 0.002}) {
        times.made.push_back(
            {process, {base + later, base + 0.01 + later, base + 0.02 + later}, ""});
      }
    }
    result.items.push_back({.times = std::move(times)});
  }
  return result;
}

/// By process: the side, as measured, that stands where the base did.
std::vector<size_t> bases_of(const PairedTimes& measured, const PairedTimes& exchanged) {
  std::vector<size_t> bases;
  for (size_t i = 0; i < measured.made.size(); ++i) {
    const auto& sides = measured.made[i].log_s;
    const auto found = std::ranges::find(sides, exchanged.made[i].log_s.front());
    bases.push_back(static_cast<size_t>(found - sides.begin()));
  }
  return bases;
}

TEST(ExchangedSides, ChangePlacesInManyWays) {
  const ComparePlan plan = example_plan();
  const PairedResult measured = example_times(plan);
  std::set<std::vector<size_t>> seen;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const PairedResult exchanged = exchange_sides(plan, measured, true, seed);
    seen.insert(bases_of(*measured.items[0].times, *exchanged.items[0].times));
  }
  EXPECT_GT(seen.size(), 20U);  // of 3 to the power of 4
}

TEST(ExchangedSides, ChangePlacesAlikeInAllRoundsOfAProcess) {
  const ComparePlan plan = example_plan();
  const PairedResult measured = example_times(plan);
  const PairedResult exchanged = exchange_sides(plan, measured, true, 5);
  const auto bases = bases_of(*measured.items[0].times, *exchanged.items[0].times);
  for (size_t i = 0; i + 1 < bases.size(); i += 2) EXPECT_EQ(bases[i], bases[i + 1]);
}

TEST(ExchangedSides, ChangePlacesAlikeOnAllItems) {
  const ComparePlan plan = example_plan();
  const PairedResult measured = example_times(plan);
  const PairedResult exchanged = exchange_sides(plan, measured, true, 5);
  const auto bases = bases_of(*measured.items[0].times, *exchanged.items[0].times);
  for (size_t item = 1; item < measured.items.size(); ++item)
    EXPECT_EQ(bases_of(*measured.items[item].times, *exchanged.items[item].times), bases);
}

TEST(ExchangedSides, LoseNoTime) {
  const ComparePlan plan = example_plan();
  const PairedResult measured = example_times(plan);
  const PairedResult exchanged = exchange_sides(plan, measured, true, 7);
  for (size_t item = 0; item < measured.items.size(); ++item) {
    for (size_t round = 0; round < measured.items[item].times->made.size(); ++round) {
      EXPECT_TRUE(std::ranges::is_permutation(exchanged.items[item].times->made[round].log_s,
                                              measured.items[item].times->made[round].log_s));
    }
  }
}

TEST(ExchangedSides, EstimateTheRatiosAnew) {
  const ComparePlan plan = example_plan();
  const PairedResult exchanged = exchange_sides(plan, example_times(plan), true, 3);
  const PairedTimes& times = *exchanged.items[0].times;
  for (size_t side = 1; side <= 2; ++side) {
    const Estimate expected = log_ratio_of(times.made, side, 3);
    EXPECT_EQ(times.log_ratios[side - 1].value, expected.value);
    EXPECT_EQ(times.log_ratios[side - 1].interval.low, expected.interval.low);
  }
}

TEST(ExchangedSides, LeaveOtherCodeWhereItIs) {
  const ComparePlan plan = example_plan();
  const PairedResult measured = example_times(plan);
  std::set<std::vector<size_t>> seen;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const PairedResult exchanged = exchange_sides(plan, measured, false, seed);
    for (size_t i = 0; i < measured.items[0].times->made.size(); ++i) {
      EXPECT_EQ(exchanged.items[0].times->made[i].log_s[1],
                measured.items[0].times->made[i].log_s[1]);
    }
    seen.insert(bases_of(*measured.items[0].times, *exchanged.items[0].times));
  }
  EXPECT_GT(seen.size(), 10U);  // of 2 to the power of 4
}

TEST(ExchangedSides, LeaveOutWhatWasNotMeasured) {
  const ComparePlan plan = example_plan();
  PairedResult measured = example_times(plan);
  measured.items[1] = {.failure = Failure{FailureKind::kRunError, "it crashed"}};
  const PairedResult exchanged = exchange_sides(plan, measured, true, 1);
  EXPECT_FALSE(exchanged.items[1].times);
  EXPECT_TRUE(exchanged.items[1].failure);
}

}  // namespace
}  // namespace opbench
