#include "measuring/sampling/paired.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "measuring/results/compare_result.h"
#include "measuring/sampling/paired_rounds.h"
#include "simulated_machine.h"

namespace opbench {
namespace {

/// Items whose sides are neighbours in the machine's list of calls.
std::vector<PairedItem> paired_items_of(size_t count, size_t sides) {
  std::vector<PairedItem> items(count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t side = 0; side < sides; ++side) {
      items[i].sides.push_back(i * sides + side);
      items[i].threads.push_back(1);
    }
  }
  return items;
}

int64_t rounds_in(const PairedTimes& times, int process) {
  int64_t visits = 0;
  for (const Sample& sample : times.sides[0].samples) {
    visits += sample.process == process && sample.flag != "warm_up" ? 1 : 0;
  }
  return visits / 2;
}

TEST(Verdict, HasNames) {
  EXPECT_EQ(name_of(Verdict::kFaster), "faster");
  EXPECT_EQ(name_of(Verdict::kSlower), "slower");
  EXPECT_EQ(name_of(Verdict::kSame), "same");
  EXPECT_EQ(name_of(Verdict::kInconclusive), "inconclusive");
}

TEST(MeasurePairs, FindsTheRatioOfEverySideToTheFirst) {
  SimulatedMachine machine({1e-3, 1.1e-3, 0.5e-3}, {}, 1);
  const PairedResult result = measure_pairs(paired_items_of(1, 3), machine, machine, {});
  ASSERT_TRUE(result.items[0].times);
  const PairedTimes& times = *result.items[0].times;
  ASSERT_EQ(times.log_ratios.size(), 2U);
  EXPECT_NEAR(times.log_ratios[0].value, std::log(1.1), 0.003);
  EXPECT_NEAR(times.log_ratios[1].value, std::log(0.5), 0.003);
  EXPECT_GT(times.log_ratios[0].error, 0);
  EXPECT_GE(times.log_ratios[0].degrees, 4);
  EXPECT_NEAR(times.sides[1].median_ms, 1.095, 0.006);  // the fastest of some
  EXPECT_EQ(times.stop_reason, "decided");
  EXPECT_EQ(times.rounds, 20);
  EXPECT_LT(result.spent.count(), 3);
}

TEST(MeasurePairs, VisitsTheSidesInAnOrderAndItsReverse) {
  SimulatedMachine machine({1e-3, 1e-3, 1e-3}, {}, 1);
  const PairedResult result =
      measure_pairs(paired_items_of(1, 3), machine, machine, {.processes = 2});
  const auto count = static_cast<size_t>(result.items[0].times->rounds) * 6;
  const std::vector<std::pair<size_t, int>> visits(machine.visits.end() - static_cast<int>(count),
                                                   machine.visits.end());
  std::set<std::vector<size_t>> orders;
  for (size_t i = 0; i < count; i += 6) {
    std::vector<size_t> order;
    for (size_t j = 0; j < 6; ++j) {
      order.push_back(visits[i + j].first);
      EXPECT_EQ(visits[i + j].second, visits[i].second);
    }
    orders.insert(order);
    EXPECT_EQ(order, (std::vector<size_t>(order.rbegin(), order.rend())));
    EXPECT_EQ(std::set<size_t>(order.begin(), order.end()).size(), 3U);
  }
  EXPECT_GE(orders.size(), 4U);
}

TEST(MeasurePairs, IsNotBiasedByADrift) {
  // Times double every 20 s; one side after the other would differ by percents.
  SimulatedMachine machine({1e-3, 1e-3}, {.white = 1e-6, .drift_per_s = 0.05}, 1);
  const PairedResult result = measure_pairs(paired_items_of(1, 2), machine, machine, {});
  const Estimate ratio = result.items[0].times->log_ratios[0];
  EXPECT_NEAR(ratio.value, 0, 5e-4);
  EXPECT_LT(ratio.interval.high, 1e-3);
  EXPECT_GT(result.items[0].times->sides[0].high_ms, 1.01);
}

TEST(MeasurePairs, GivesTheSameNumberOfCallsToAllSides) {
  SimulatedMachine machine({1e-5, 2e-5, 0.03, 0.001}, {}, 1);
  const PairedResult result = measure_pairs(paired_items_of(2, 2), machine, machine, {});
  const auto number = [&](size_t item, size_t side) {
    return result.items[item].times->sides[side].number;
  };
  EXPECT_EQ(number(0, 0), number(0, 1));
  EXPECT_NEAR(static_cast<double>(number(0, 0)), 2.5e-4 / 1.4142e-5, 1);
  EXPECT_EQ(number(1, 0), 1);
  EXPECT_EQ(number(1, 1), 1);
}

TEST(MeasurePairs, MixesItemsAndProcessesInAnOrderThatTheSeedDecides) {
  const auto order = [](uint64_t seed) {
    SimulatedMachine machine(std::vector<double>(6, 1e-3), {}, 1);
    measure_pairs(paired_items_of(3, 2), machine, machine, {.seed = seed});
    return machine.visits;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(MeasurePairs, RetakesADisturbedVisitInItsPlace) {
  const SimulatedNoise noise{.bursts_per_s = 5, .burst_s = 0.04, .burst_factor = 5};
  SimulatedMachine machine({1e-3, 1e-3}, noise, 1);
  const PairedResult result = measure_pairs(paired_items_of(1, 2), machine, machine, {});
  const PairedTimes& times = *result.items[0].times;
  EXPECT_GT(times.sides[0].dropped.at("preempted"), 3);
  EXPECT_EQ(times.rounds, 20);
  EXPECT_TRUE(times.dropped.empty());
  EXPECT_NEAR(times.log_ratios[0].value, 0, 0.004);
  EXPECT_LT(times.log_ratios[0].interval.high, 0.01);
  EXPECT_NEAR(times.sides[0].median_ms, 0.995, 0.005);
}

TEST(MeasurePairs, TakesTheFastestUndisturbedRepeatOfAVisit) {
  const SimulatedNoise unseen{.white = 0.001,
                              .bursts_per_s = 400,
                              .burst_s = 5e-4,
                              .burst_factor = 2,
                              .bursts_are_seen = false};
  SimulatedMachine delayed({1e-3, 1e-3}, unseen, 1);
  const PairedTimes late =
      *measure_pairs(paired_items_of(1, 2), delayed, delayed, {}).items[0].times;
  EXPECT_NEAR(late.sides[0].median_ms, 1, 0.1);
  // Disturbed ones do not count, however fast they are.
  const SimulatedNoise seen{.bursts_per_s = 400, .burst_s = 1e-3, .burst_factor = 0.5};
  SimulatedMachine sped({1e-3, 1e-3}, seen, 1);
  const PairedTimes early = *measure_pairs(paired_items_of(1, 2), sped, sped, {}).items[0].times;
  EXPECT_NEAR(early.sides[0].median_ms, 1, 0.02);
}

TEST(PairedRounds, HaveVisitsOfSeveralRepeats) {
  EXPECT_EQ(visit_repeats(std::vector<double>{1e-5, 2e-5}, 18), 8);
  EXPECT_EQ(visit_repeats(std::vector<double>{1e-3, 1e-3}, 1), 5);
  EXPECT_EQ(visit_repeats(std::vector<double>{2e-2, 3e-2}, 1), 2);
  EXPECT_EQ(visit_repeats(std::vector<double>{2e-2, 0.1}, 1), 1);
}

TEST(MeasurePairs, GivesTimeToDecidedItemsBesideOneThatStaysUndecided) {
  SimulatedMachine machine(std::vector<double>(4, 1e-3), {.white = 0.1}, 1);
  PairedHooks hooks;
  hooks.is_decided = [](size_t item, const PairedTimes&) { return item == 0; };
  const PairedResult result =
      measure_pairs(paired_items_of(2, 2), machine, machine, {.precision = 0.001}, hooks);
  EXPECT_GT(result.items[1].times->rounds, result.items[0].times->rounds);
  EXPECT_LE(result.items[1].times->rounds, 8 * result.items[0].times->rounds);
}

TEST(MeasurePairs, DropsARoundAsAWholeInWhichAVisitStaysDisturbed) {
  const SimulatedNoise noise{.bursts_per_s = 2, .burst_s = 0.7, .burst_factor = 5};
  SimulatedMachine machine({1e-3, 1e-3}, noise, 1);
  const PairedResult result = measure_pairs(paired_items_of(1, 2), machine, machine, {});
  const PairedTimes& times = *result.items[0].times;
  EXPECT_GE(times.dropped.at("preempted"), 1);
  EXPECT_GE(times.rounds, 6);
  EXPECT_NEAR(times.log_ratios[0].value, 0, 0.005);
  EXPECT_NEAR(times.sides[0].median_ms, 0.995, 0.005);
}

TEST(MeasurePairs, StillHasARatioWhenEveryRoundIsDisturbed) {
  const SimulatedNoise noise{.bursts_per_s = 1000, .burst_s = 1000, .burst_factor = 2};
  SimulatedMachine machine({1e-3, 2e-3}, noise, 1);
  const PairedResult result =
      measure_pairs(paired_items_of(1, 2), machine, machine, {.budget = Seconds(2)});
  const PairedTimes& times = *result.items[0].times;
  EXPECT_NEAR(times.log_ratios[0].value, std::log(2), 0.01);
  EXPECT_EQ(times.rounds, times.dropped.at("preempted"));
  EXPECT_FALSE(times.sides[0].steady);
}

TEST(MeasurePairs, GoesOnUntilAnItemIsDecided) {
  SimulatedMachine machine({1e-3, 1e-3, 1e-3, 1e-3}, {.white = 0.02}, 2);
  PairedHooks hooks;
  hooks.is_decided = [](size_t item, const PairedTimes& times) {
    return item == 0 || times.rounds >= 200;
  };
  const PairedResult result =
      measure_pairs(paired_items_of(2, 2), machine, machine, {.precision = 0.03}, hooks);
  EXPECT_EQ(result.items[0].times->rounds, 20);
  EXPECT_EQ(result.items[1].times->rounds, 320);
  EXPECT_EQ(result.items[1].times->stop_reason, "decided");
}

TEST(MeasurePairs, GivesMoreProcessesToAnItemThatMoreRoundsDoNotDecide) {
  const SimulatedNoise noise{.white = 1e-4, .process_bias = 0.005};
  SimulatedMachine machine(std::vector<double>(4, 1e-3), noise, 1);
  PairedHooks hooks;
  hooks.is_decided = [](size_t item, const PairedTimes&) { return item == 0; };
  const PairedResult result = measure_pairs(paired_items_of(2, 2), machine, machine,
                                            {.precision = 0.02, .most_processes = 10}, hooks);
  EXPECT_EQ(result.items[0].times->sides[0].processes, 5);
  const PairedTimes& times = *result.items[1].times;
  EXPECT_EQ(times.sides[0].processes, 10);
  EXPECT_EQ(times.stop_reason, "plateau");
  for (int process = 5; process < 10; ++process) EXPECT_GE(rounds_in(times, process), 4);
}

TEST(MeasurePairs, GivesUpAtAPlateau) {
  SimulatedMachine machine({1e-3, 1e-3}, {.white = 1e-4, .process_bias = 0.03}, 1);
  const PairedResult result = measure_pairs(paired_items_of(1, 2), machine, machine, {});
  EXPECT_EQ(result.items[0].times->sides[0].processes, 5);
  EXPECT_EQ(result.items[0].times->stop_reason, "plateau");
  EXPECT_LT(result.spent.count(), 6);
}

TEST(MeasurePairs, EndsWithTheBudgetAndWithWholeRounds) {
  SimulatedMachine machine({2e-3, 2e-3, 2e-3, 2e-3}, {.white = 0.3}, 2);
  const PairedResult result = measure_pairs(paired_items_of(2, 2), machine, machine,
                                            {.budget = Seconds(5), .precision = 0.0001});
  EXPECT_NEAR(result.spent.count(), 5, 0.03);  // a last round may be slower than expected
  for (const PairedItemResult& item : result.items) {
    EXPECT_EQ(item.times->stop_reason, "budget");
    for (const Measurement& side : item.times->sides) {
      EXPECT_EQ(std::ranges::count(side.samples, std::string(), &Sample::flag),
                2 * item.times->rounds);
    }
  }
  const auto [fewest, most] =
      std::minmax(result.items[0].times->rounds, result.items[1].times->rounds);
  EXPECT_GE(fewest, most - 5);
}

TEST(MeasurePairs, GivesEveryItemItsRoundsWithinTheBudget) {
  std::vector<double> calls;
  for (int i = 0; i < 25; ++i) calls.insert(calls.end(), 3, 2e-5 * std::pow(50, i / 24.0));
  SimulatedMachine machine(calls, {.white = 0.01}, 1);
  const PairedResult result = measure_pairs(paired_items_of(25, 3), machine, machine, {});
  EXPECT_LE(result.spent.count(), 60);
  for (const PairedItemResult& item : result.items) {
    for (int process = 0; process < 5; ++process) EXPECT_GE(rounds_in(*item.times, process), 4);
  }
}

TEST(MeasurePairs, GivesEveryItemThreeRoundsWhenTheBudgetIsTooSmall) {
  SimulatedMachine machine(std::vector<double>(40, 5e-3), {}, 1);
  const PairedResult result =
      measure_pairs(paired_items_of(20, 2), machine, machine, {.budget = Seconds(0.5)});
  for (const PairedItemResult& item : result.items) {
    ASSERT_TRUE(item.times);
    EXPECT_GE(item.times->rounds, 3);
    EXPECT_LE(item.times->rounds, 5);
    EXPECT_GT(item.times->log_ratios[0].interval.high, item.times->log_ratios[0].value);
  }
}

TEST(MeasurePairs, LeavesTheShortestItemsOutOfAFirmBudgetThatIsTooSmall) {
  std::vector<double> calls;
  std::vector<PairedItem> items = paired_items_of(20, 2);
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].expected_s = 1e-3 * static_cast<double>(i + 1);
    calls.insert(calls.end(), 2, items[i].expected_s);
  }
  SimulatedMachine machine(calls, {}, 1);
  const PairedOptions options{.budget = Seconds(5), .processes = 8, .is_firm = true};
  const PairedResult result = measure_pairs(items, machine, machine, options);
  EXPECT_LE(result.spent, 2 * options.budget);
  size_t measured = 0;
  for (const PairedItemResult& item : result.items) measured += item.times ? 1 : 0;
  EXPECT_GE(measured, 2U);
  EXPECT_LT(measured, items.size());
  ASSERT_TRUE(result.items.back().times);
  EXPECT_GE(result.items.back().times->rounds, 3);
  ASSERT_TRUE(result.items.front().failure);
  EXPECT_EQ(result.items.front().failure->kind, FailureKind::kCancelled);
  EXPECT_THAT(result.items.front().failure->text, ::testing::HasSubstr("the budget of 5 s ended"));
}

TEST(MeasurePairs, UsesFewerProcessesWhereAFirmBudgetIsTooSmallForAll) {
  SimulatedMachine machine(std::vector<double>(3, 0.1), {}, 1);
  const PairedOptions options{.budget = Seconds(8), .processes = 8, .is_firm = true};
  const PairedResult result = measure_pairs(paired_items_of(1, 3), machine, machine, options);
  EXPECT_LE(result.spent, 2 * options.budget);
  ASSERT_TRUE(result.items[0].times);
  EXPECT_GE(result.items[0].times->rounds, 3);
  EXPECT_EQ(rounds_in(*result.items[0].times, 7), 0);
}

TEST(MeasurePairs, GoesOnAfterAnItemFails) {
  SimulatedMachine machine(std::vector<double>(6, 1e-3), {}, 1);
  machine.fails_at = {3, 1};
  machine.fails_after = 40;
  const PairedResult result = measure_pairs(paired_items_of(3, 2), machine, machine, {});
  EXPECT_TRUE(result.items[0].times);
  EXPECT_TRUE(result.items[2].times);
  ASSERT_TRUE(result.items[1].failure);
  EXPECT_FALSE(result.items[1].times);
  EXPECT_EQ(result.items[1].failed_side, 1);
  EXPECT_EQ(result.items[1].failure->text, "killed by signal 11 (SIGSEGV)");
  EXPECT_THAT(machine.recovered, testing::ElementsAre(std::pair<size_t, int>(3, 1)));
  EXPECT_EQ(result.items[0].times->rounds, 20);
}

TEST(MeasurePairs, UsesTheOtherPairsWhenAProcessIsLost) {
  SimulatedMachine machine(std::vector<double>(4, 1e-3), {}, 1);
  machine.fails_at = {1, 0};
  machine.cannot_recover = true;
  const PairedResult result = measure_pairs(paired_items_of(2, 2), machine, machine, {});
  EXPECT_TRUE(result.items[0].failure);
  ASSERT_TRUE(result.items[1].times);
  EXPECT_EQ(rounds_in(*result.items[1].times, 0), 0);
  EXPECT_GE(rounds_in(*result.items[1].times, 1), 4);
}

TEST(MeasurePairs, LosesAllItemsWithTheLastPair) {
  SimulatedMachine machine(std::vector<double>(4, 1e-3), {}, 1);
  machine.fails_at = {0, 0};
  machine.cannot_recover = true;
  const PairedResult result =
      measure_pairs(paired_items_of(2, 2), machine, machine, {.processes = 1});
  EXPECT_EQ(result.items[0].failure->text, "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(result.items[1].failure, (Failure{FailureKind::kDeviceLost, "gone"}));
}

TEST(MeasurePairs, ReturnsWhatExistsWhenInterrupted) {
  SimulatedMachine machine(std::vector<double>(8, 1e-3), {}, 1);
  PairedHooks hooks;
  hooks.should_stop = [&] { return machine.visits.size() >= 70; };
  const PairedResult result = measure_pairs(paired_items_of(4, 2), machine, machine, {}, hooks);
  EXPECT_TRUE(result.interrupted);
  EXPECT_LE(machine.visits.size(), 74U);
  size_t times = 0;
  for (const PairedItemResult& item : result.items) {
    EXPECT_NE(item.times.has_value(), item.failure.has_value());
    if (item.failure) {
      EXPECT_EQ(item.failure->kind, FailureKind::kCancelled);
    }
    if (!item.times) continue;
    ++times;
    EXPECT_EQ(item.times->stop_reason, "interrupted");
    EXPECT_EQ(item.times->log_ratios.size(), 1U);
  }
  EXPECT_GE(times, 1U);
}

TEST(MeasurePairs, ReportsItsProgress) {
  SimulatedMachine machine(std::vector<double>(4, 1e-3), {}, 1);
  std::vector<SamplingProgress> reports;
  PairedHooks hooks;
  hooks.progress = [&](const SamplingProgress& progress) { reports.push_back(progress); };
  measure_pairs(paired_items_of(2, 2), machine, machine, {}, hooks);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.back().done, 2U);
  EXPECT_EQ(reports.back().total, 2U);
  EXPECT_NEAR(reports.back().median_ms.value(), 1, 0.01);
  EXPECT_LT(reports.back().half_width_percent.value(), 1);
  EXPECT_GT(reports.front().remaining, reports.back().remaining);
}

TEST(MeasurePairs, HasNothingToDoWithoutItems) {
  SimulatedMachine machine({}, {}, 1);
  EXPECT_TRUE(measure_pairs({}, machine, machine, {}).items.empty());
}

}  // namespace
}  // namespace opbench
