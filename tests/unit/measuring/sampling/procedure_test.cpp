#include "measuring/sampling/procedure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "base/system/seconds.h"
#include "measuring/results/estimate.h"
#include "simulated_machine.h"

namespace opbench {
namespace {

class FakeClock : public Clock {
 public:
  Seconds now() override { return time_; }
  void pass(double seconds) { time_ += Seconds(seconds); }

 private:
  Seconds time_{1000};
};

/// An item as the fake machine runs it.
struct FakeItem {
  double call_s = 1e-3;
  double noise = 0.002;     ///< relative deviation of one sample
  double preempted = 0;     ///< probability
  double slow_seconds = 0;  ///< machine time of this item during which it runs at half speed
  int fails_in_process = -1;
  FailureKind failure = FailureKind::kRunError;
};

/// A machine whose time passes only by being measured on.
class FakeRunner : public Runner {
 public:
  FakeRunner(FakeClock& clock, std::vector<FakeItem> items)
      : clock_(clock), items_(std::move(items)), random_(5) {}

  Outcome<std::vector<Sample>> measure(size_t item, int process, int64_t number, int repeats,
                                       Seconds warm_up, int warm_up_calls) override {
    const FakeItem& fake = items_.at(item);
    visits.emplace_back(item, process);
    numbers[item].insert(number);
    if (fake.fails_in_process == process) {
      return tl::make_unexpected(Failure{fake.failure, "killed by signal 11 (SIGSEGV)"});
    }
    spend(item, process, std::max(warm_up.count(), warm_up_calls * fake.call_s));
    std::vector<Sample> samples;
    for (int i = 0; i < repeats; ++i) {
      Sample sample;
      double call = fake.call_s * (1 + fake.noise * random_.normal());
      if (spent_[{item, process}] < fake.slow_seconds) call *= 2;
      sample.cpu_s = call;
      if (random_.uniform() < fake.preempted) {
        sample.involuntary_switches = 1;
        call *= 3;
      }
      sample.wall_s = call;
      sample.cpu = 1;
      spend(item, process, call * static_cast<double>(number));
      samples.push_back(sample);
    }
    clock_.pass(2e-4);
    return samples;
  }

  Outcome<void> recover(size_t item, int process) override {
    recovered.emplace_back(item, process);
    if (cannot_recover) return tl::make_unexpected(Failure{FailureKind::kDeviceLost, "gone"});
    return {};
  }

  std::vector<std::pair<size_t, int>> visits;
  std::vector<std::pair<size_t, int>> recovered;
  std::map<size_t, std::set<int64_t>> numbers;
  bool cannot_recover = false;

 private:
  void spend(size_t item, int process, double seconds) {
    clock_.pass(seconds);
    spent_[{item, process}] += seconds;
  }

  FakeClock& clock_;
  std::vector<FakeItem> items_;
  Random random_;
  std::map<std::pair<size_t, int>, double> spent_;
};

/// Items as their caller would describe them: weights are times, predictions are right.
std::vector<SamplingItem> describe(const std::vector<FakeItem>& fakes) {
  std::vector<SamplingItem> items;
  for (const FakeItem& fake : fakes) {
    items.push_back({.id = "u" + std::to_string(items.size()),
                     .expected_s = fake.call_s,
                     .weight = fake.call_s});
  }
  return items;
}

/// 30 units from 5 µs to 3 ms and the model at 20 ms.
std::vector<FakeItem> resnet18() {
  std::vector<FakeItem> items;
  for (int i = 0; i < 30; ++i) {
    items.push_back({.call_s = 5e-6 * std::pow(3e-3 / 5e-6, i / 29.0), .noise = 0.01});
  }
  items.push_back({.call_s = 0.02, .noise = 0.01});
  return items;
}

int64_t clean_in(const Measurement& time, int process) {
  return std::ranges::count_if(
      time.samples, [&](const Sample& s) { return s.process == process && s.flag.empty(); });
}

TEST(Procedure, StopsAQuietItemAtItsPrecision) {
  FakeClock clock;
  const std::vector<FakeItem> fakes = {{.call_s = 1e-3}};
  FakeRunner runner(clock, fakes);
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {});
  ASSERT_TRUE(result.items[0].time);
  const Measurement& time = *result.items[0].time;
  EXPECT_EQ(time.stop_reason, "precision");
  EXPECT_NEAR(time.median_ms, 1, 0.005);
  EXPECT_LE(relative_half_width(time), 0.01);
  EXPECT_EQ(time.number, 2);
  EXPECT_EQ(time.processes, 3);
  EXPECT_TRUE(time.steady);
  for (int process = 0; process < 3; ++process) EXPECT_GE(clean_in(time, process), 10);
  EXPECT_LT(result.spent.count(), 1);
}

TEST(Procedure, GivesUpAtAPlateau) {
  FakeClock clock;
  const std::vector<FakeItem> fakes = {{.call_s = 1e-3, .noise = 1e-6}};
  // Three processes that differ by 3 % for good: no number of samples narrows that.
  class Biased : public FakeRunner {
   public:
    using FakeRunner::FakeRunner;
    Outcome<std::vector<Sample>> measure(size_t item, int process, int64_t number, int repeats,
                                         Seconds warm_up, int calls) override {
      auto samples = FakeRunner::measure(item, process, number, repeats, warm_up, calls);
      for (Sample& sample : *samples) {
        sample.wall_s *= 1 + 0.03 * process;
        sample.cpu_s = sample.wall_s;
      }
      return samples;
    }
  } runner(clock, fakes);
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {});
  EXPECT_EQ(result.items[0].time->stop_reason, "plateau");
  EXPECT_LT(result.spent.count(), 2);
}

TEST(Procedure, GivesEveryUnitOfAModelTenCleanSamplesInTenSeconds) {
  FakeClock clock;
  const std::vector<FakeItem> fakes = resnet18();
  FakeRunner runner(clock, fakes);
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {});
  for (size_t i = 0; i < fakes.size(); ++i) {
    ASSERT_TRUE(result.items[i].time) << i;
    EXPECT_NEAR(result.items[i].time->median_ms, s_to_ms(fakes[i].call_s), fakes[i].call_s * 30);
    for (int process = 0; process < 3; ++process) {
      EXPECT_GE(clean_in(*result.items[i].time, process), 10) << i;
    }
  }
  EXPECT_LE(result.spent.count(), 10.2);
}

TEST(Procedure, UsesTheWholeBudgetOnANoisyItemAndNoMore) {
  FakeClock clock;
  const std::vector<FakeItem> fakes = {{.call_s = 1e-3}, {.call_s = 5e-3, .noise = 0.3}};
  FakeRunner runner(clock, fakes);
  SamplingOptions options;
  options.budget = Seconds(3);
  options.precision = 0.001;
  const SamplingResult result = sample_items(describe(fakes), runner, clock, options);
  EXPECT_LE(result.spent.count(), 3.1);
  EXPECT_GT(clean_in(*result.items[1].time, 0), 60);
}

TEST(Procedure, CountsTheSameCallsInEveryProcess) {
  FakeClock clock;
  const std::vector<FakeItem> fakes = {{.call_s = 1e-5}, {.call_s = 0.03}};
  FakeRunner runner(clock, fakes);
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {});
  EXPECT_EQ(result.items[1].time->number, 1);
  EXPECT_NEAR(static_cast<double>(result.items[0].time->number), 200, 4);
  EXPECT_LE(runner.numbers[0].size(), 3U);  // twice to calibrate, then one number
}

TEST(Procedure, CountsWhatEmptyingTheCachesCosts) {
  SimulatedMachine machine({1e-6, 1e-3}, {}, 1);
  machine.emptying_s = 0.05;
  const Seconds begin = machine.now();
  const auto result =
      sample_items({{.id = "short"}, {.id = "long"}}, machine, machine, {.budget = Seconds(5)});
  for (const size_t item : {0, 1}) {
    ASSERT_TRUE(result.items[item].time);
    EXPECT_THAT(machine.numbers[item], ::testing::ElementsAre(1));
  }
  EXPECT_LT((machine.now() - begin).count(), 7);
  EXPECT_NEAR(result.items[0].time->median_ms, 1e-3, 1e-5) << "it is no part of the time";
}

TEST(Procedure, MixesItemsAndProcessesInAnOrderThatTheSeedDecides) {
  const auto order = [](uint64_t seed) {
    FakeClock clock;
    const std::vector<FakeItem> fakes(6);
    FakeRunner runner(clock, fakes);
    sample_items(describe(fakes), runner, clock, {.seed = seed});
    return runner.visits;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
  int changes = 0;
  const auto visits = order(1);
  for (size_t i = 1; i < visits.size(); ++i) changes += visits[i] != visits[i - 1] ? 1 : 0;
  EXPECT_GT(changes, static_cast<int>(visits.size()) / 2);
}

TEST(Procedure, RetakesPreemptedSamplesAndKeepsThem) {
  FakeClock clock;
  const std::vector<FakeItem> fakes = {{.call_s = 1e-3, .preempted = 0.3}};
  FakeRunner runner(clock, fakes);
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {});
  const Measurement& time = *result.items[0].time;
  EXPECT_NEAR(time.median_ms, 1, 0.005);
  EXPECT_GT(time.dropped.at("preempted"), 3);
  const auto kept = std::ranges::count(time.samples, "preempted", &Sample::flag);
  EXPECT_EQ(kept, time.dropped.at("preempted"));
  EXPECT_TRUE(time.steady);
}

TEST(Procedure, StillHasATimeWhenEverySampleIsDisturbed) {
  FakeClock clock;
  const std::vector<FakeItem> fakes = {{.call_s = 1e-3, .preempted = 1}};
  FakeRunner runner(clock, fakes);
  const SamplingResult result =
      sample_items(describe(fakes), runner, clock, {.budget = Seconds(1)});
  ASSERT_TRUE(result.items[0].time);
  EXPECT_FALSE(result.items[0].time->steady);
  EXPECT_EQ(result.items[0].time->stop_reason, "budget");
  EXPECT_NEAR(result.items[0].time->median_ms, 3, 0.05);
}

TEST(Procedure, DoesNotRetakeBeyondTheBudget) {
  FakeClock clock;
  const std::vector<FakeItem> fakes(40, FakeItem{.call_s = 5e-3, .preempted = 1});
  FakeRunner runner(clock, fakes);
  const SamplingResult result =
      sample_items(describe(fakes), runner, clock, {.budget = Seconds(5)});
  for (const ItemResult& item : result.items) EXPECT_TRUE(item.time);
  EXPECT_LT(result.spent.count(), 20);  // every time is tripled, and known so from calibration
}

TEST(Procedure, FlagsTheSamplesBeforeTheSteadyStateAsWarmUp) {
  FakeClock clock;
  const std::vector<FakeItem> fakes = {{.call_s = 1e-3, .slow_seconds = 0.047}};
  FakeRunner runner(clock, fakes);
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {});
  const Measurement& time = *result.items[0].time;
  EXPECT_NEAR(time.median_ms, 1, 0.01);
  EXPECT_GT(time.dropped.at("warm_up"), 0);
  EXPECT_TRUE(time.steady);
}

TEST(Procedure, SaysSoWhenAnItemNeverBecomesSteady) {
  FakeClock clock;
  class Drifting : public FakeRunner {
   public:
    using FakeRunner::FakeRunner;
    Outcome<std::vector<Sample>> measure(size_t item, int process, int64_t number, int repeats,
                                         Seconds warm_up, int calls) override {
      auto samples = FakeRunner::measure(item, process, number, repeats, warm_up, calls);
      for (Sample& sample : *samples) sample.wall_s = sample.cpu_s *= (drift_ *= 1.02);
      return samples;
    }

   private:
    double drift_ = 1;
  } runner(clock, {FakeItem{}});
  const SamplingResult result = sample_items({{.id = "u0"}}, runner, clock, {.budget = Seconds(1)});
  EXPECT_FALSE(result.items[0].time->steady);
}

TEST(Procedure, GoesOnAfterAnItemFails) {
  FakeClock clock;
  std::vector<FakeItem> fakes(3);
  fakes[1].fails_in_process = 1;
  FakeRunner runner(clock, fakes);
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {});
  EXPECT_TRUE(result.items[0].time);
  EXPECT_TRUE(result.items[2].time);
  EXPECT_FALSE(result.items[1].time);
  EXPECT_EQ(result.items[1].failure->text, "killed by signal 11 (SIGSEGV)");
  EXPECT_THAT(runner.recovered, testing::ElementsAre(std::pair<size_t, int>(1, 1)));
  EXPECT_EQ(result.items[0].time->processes, 3);
}

TEST(Procedure, UsesTheOtherProcessesWhenOneCannotBeRestarted) {
  FakeClock clock;
  std::vector<FakeItem> fakes(2);
  fakes[0].fails_in_process = 0;
  FakeRunner runner(clock, fakes);
  runner.cannot_recover = true;
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {});
  ASSERT_TRUE(result.items[1].time);
  EXPECT_EQ(result.items[1].time->processes, 2);
}

TEST(Procedure, LosesAllItemsOfAnEngineWithItsLastProcess) {
  FakeClock clock;
  std::vector<FakeItem> fakes(3);
  fakes[0].fails_in_process = 0;
  FakeRunner runner(clock, fakes);
  runner.cannot_recover = true;
  std::vector<SamplingItem> items = describe(fakes);
  items[2].engine = 1;
  const SamplingResult result = sample_items(items, runner, clock, {.processes = 1});
  EXPECT_EQ(result.items[0].failure->text, "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(result.items[1].failure, (Failure{FailureKind::kDeviceLost, "gone"}));
  EXPECT_TRUE(result.items[2].time);
}

TEST(Procedure, ReturnsWhatExistsWhenInterrupted) {
  FakeClock clock;
  const std::vector<FakeItem> fakes(4);
  FakeRunner runner(clock, fakes);
  SamplingHooks hooks;
  hooks.should_stop = [&] { return runner.visits.size() >= 10; };
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {}, hooks);
  EXPECT_TRUE(result.interrupted);
  size_t times = 0;
  for (const ItemResult& item : result.items) {
    EXPECT_NE(item.time.has_value(), item.failure.has_value());
    if (item.failure) {
      EXPECT_EQ(item.failure->kind, FailureKind::kCancelled);
    }
    if (!item.time) continue;
    ++times;
    EXPECT_EQ(item.time->stop_reason, "interrupted");
  }
  EXPECT_GE(times, 1U);
  EXPECT_LE(runner.visits.size(), 11U);
}

TEST(Procedure, ReportsItsProgressAndTheDrift) {
  FakeClock clock;
  const std::vector<FakeItem> fakes(8);
  FakeRunner runner(clock, fakes);
  std::vector<SamplingProgress> reports;
  SamplingHooks hooks;
  hooks.progress = [&](const SamplingProgress& p) { reports.push_back(p); };
  hooks.reference = [] { return 2e-3; };
  const SamplingResult result = sample_items(describe(fakes), runner, clock, {}, hooks);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.back().done, 8U);
  EXPECT_EQ(reports.back().total, 8U);
  EXPECT_NEAR(reports.back().median_ms.value(), 1, 0.01);
  EXPECT_GT(reports.front().remaining, reports.back().remaining);
  EXPECT_FALSE(result.drift_s.empty());
}

TEST(Procedure, HasNothingToDoWithoutItems) {
  FakeClock clock;
  FakeRunner runner(clock, {});
  EXPECT_TRUE(sample_items({}, runner, clock, {}).items.empty());
}

}  // namespace
}  // namespace opbench
