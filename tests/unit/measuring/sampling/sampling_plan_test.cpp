#include "measuring/sampling/sampling_plan.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "measuring/results/estimate.h"
#include "measuring/results/sample_flags.h"

namespace opbench {
namespace {

TEST(SamplingPlan, FillsARepeatByTheNoiseAndTheClock) {
  EXPECT_EQ(shortest_repeat({}), Seconds(0.002));
  EXPECT_EQ(shortest_repeat({.noise = NoiseClass::kShared}), Seconds(0.005));
  EXPECT_EQ(shortest_repeat({.clock_resolution = Seconds(1e-5)}), Seconds(0.01));
  EXPECT_EQ(calls_per_repeat(1e-5, Seconds(0.002)), 200);
  EXPECT_EQ(calls_per_repeat(3e-3, Seconds(0.002)), 1);
  EXPECT_EQ(calls_per_repeat(0.02, Seconds(0.05)), 1);
  EXPECT_GT(calls_per_repeat(0, Seconds(0.002)), 1);
}

TEST(SamplingPlan, GivesLessEffortAsTheBudgetShrinks) {
  const std::vector<double> calls(30, 1e-3);
  Effort last;
  last.samples = 10;
  for (const double budget : {10.0, 3.5, 2.5, 1.5, 0.5, 0.0}) {
    const Effort effort = affordable_effort(calls, {.budget = Seconds(budget)});
    EXPECT_LE(effort.samples, last.samples);
    EXPECT_LE(effort.warm_up, last.warm_up);
    EXPECT_LE(effort.repeat, last.repeat);
    EXPECT_GE(effort.samples, 3);
    last = effort;
  }
  EXPECT_EQ(affordable_effort(calls, {}).samples, 10);
  EXPECT_EQ(affordable_effort(calls, {}).warm_up, Seconds(0.03));
  EXPECT_EQ(last.samples, 3);
}

TEST(SamplingPlan, DoesNotShortenRepeatsBelowAThousandStepsOfTheClock) {
  const Effort effort = affordable_effort(
      std::vector<double>(100, 1e-4), {.budget = Seconds(0), .clock_resolution = Seconds(1.5e-6)});
  EXPECT_EQ(effort.repeat, Seconds(1.5e-3));
}

TEST(SamplingPlan, SeesATrendButNotNoise) {
  const std::vector<double> falling = {10, 9.8, 9.6, 9.4, 9.2, 9.0, 8.8, 8.6, 8.4, 8.2};
  EXPECT_FALSE(is_steady(falling, 5));
  EXPECT_TRUE(is_steady(std::vector<double>(10, 3.0), 5));
  EXPECT_FALSE(is_steady(std::vector<double>(9, 3.0), 5));
  EXPECT_FALSE(is_steady({}, 0));
  const std::vector<double> scattered = {10, 12, 9, 11, 10.5, 10.2, 9.1, 11.8, 10.9, 9.9};
  EXPECT_TRUE(is_steady(scattered, 5));
  const std::vector<double> step = {2, 2.01, 1.99, 2, 2, 1, 1.01, 0.99, 1, 1};
  EXPECT_FALSE(is_steady(step, 5));
}

TEST(StopRule, WantsSamplesAndPrecision) {
  StopRule rule(0.01, 10);
  EXPECT_EQ(rule.judge(9, 27, 0.001), "");
  EXPECT_EQ(rule.judge(10, 30, 0.01), "precision");
}

TEST(StopRule, EndsAtAPlateauOfOneDoubling) {
  StopRule rule(0.01, 10);
  EXPECT_EQ(rule.judge(10, 30, 0.05), "");
  EXPECT_EQ(rule.judge(15, 45, 0.05), "");  // not doubled yet
  EXPECT_EQ(rule.judge(20, 60, 0.04), "");  // 20 % better
  EXPECT_EQ(rule.judge(39, 119, 0.04), "");
  EXPECT_EQ(rule.judge(40, 120, 0.037), "plateau");
}

Sample sample(double wall, double cpu) {
  Sample result;
  result.wall_s = wall;
  result.cpu_s = cpu;
  return result;
}

TEST(SampleFlags, NameTheCause) {
  const FlagContext context{.number = 2, .threads = 1, .usual_faults = 1, .last_cpu = 0};
  Sample clean = sample(1e-3, 0.996e-3);
  clean.cpu = 0;
  EXPECT_EQ(flag_of(clean, context), "");
  EXPECT_EQ(flag_of(sample(1e-3, 0.994e-3), context), "preempted");
  Sample switched = clean;
  switched.involuntary_switches = 1;
  EXPECT_EQ(flag_of(switched, context), "preempted");
  switched.waited_s = 0.9e-5;  // of 2 ms
  EXPECT_EQ(flag_of(switched, context), "");
  switched.waited_s = 1.1e-5;
  EXPECT_EQ(flag_of(switched, context), "preempted");
  Sample moved = clean;
  moved.cpu = 1;
  EXPECT_EQ(flag_of(moved, context), "migrated");
  Sample faulted = clean;
  faulted.minor_faults = 15;  // 14 more than usual cost 9.8 µs of 2 ms
  EXPECT_EQ(flag_of(faulted, context), "");
  faulted.minor_faults = 17;
  EXPECT_EQ(flag_of(faulted, context), "faulted");
}

TEST(SampleFlags, LetAThreadSleepWhileADeviceComputes) {
  const FlagContext context{.number = 1, .threads = 1};
  Sample waiting = sample(1e-3, 0.1e-3);
  EXPECT_EQ(flag_of(waiting, context), "preempted");
  waiting.device_s = 0.9e-3;
  EXPECT_EQ(flag_of(waiting, context), "");
  waiting.involuntary_switches = 2;  // the driver's threads take turns on one CPU
  waiting.waited_s = 10e-6;
  EXPECT_EQ(flag_of(waiting, context), "");
  EXPECT_EQ(flag_of(waiting, {.number = 100, .threads = 1}), "");
  waiting.waited_s = 16e-6;
  EXPECT_EQ(flag_of(waiting, context), "preempted");
}

TEST(SampleFlags, DoNotReadOneThreadsRulesIntoMany) {
  FlagContext context{.threads = 2, .last_cpu = 0};
  Sample waiting = sample(1e-3, 0.5e-3);
  waiting.cpu = 1;
  EXPECT_EQ(flag_of(waiting, context), "");
  EXPECT_EQ(flag_of(sample(1e-3, 0), {.threads = 1}), "") << "CPU time not known";
}

TEST(SampleFlags, NeverLookAtTheTimeItself) {
  for (const double wall : {1e-6, 1e-3, 10.0}) EXPECT_EQ(flag_of(sample(wall, wall), {}), "");
}

TEST(UsableTimes, AreTheCleanOnesWhileThereAreThree) {
  std::vector<Sample> samples(6);
  for (size_t i = 0; i < samples.size(); ++i) samples[i].wall_s = static_cast<double>(i);
  samples[0].flag = "warm_up";
  samples[1].flag = "preempted";
  samples[2].flag = "faulted";
  EXPECT_EQ(usable_times(samples, 0).wall_s, (std::vector<double>{3, 4, 5}));
  samples[3].flag = "preempted";
  EXPECT_EQ(usable_times(samples, 0).wall_s, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_TRUE(usable_times(samples, 0).all_flagged);
  EXPECT_TRUE(usable_times(samples, 1).wall_s.empty());
}

TEST(Estimate, DescribesTheCleanSamplesOfAllProcesses) {
  std::vector<Sample> samples;
  for (int process = 0; process < 3; ++process) {
    for (int i = 1; i <= 9; ++i) {
      Sample s = sample(i * 1e-3, i * 1e-3);
      s.process = process;
      samples.push_back(s);
    }
    Sample dropped = sample(99, 99);
    dropped.process = process;
    dropped.flag = "preempted";
    samples.push_back(dropped);
  }
  const Measurement result = estimate(samples, 1);
  EXPECT_DOUBLE_EQ(result.median_ms, 5);
  EXPECT_DOUBLE_EQ(result.min_ms, 1);
  EXPECT_DOUBLE_EQ(result.q1_ms, 3);
  EXPECT_DOUBLE_EQ(result.q3_ms, 7);
  EXPECT_DOUBLE_EQ(result.mad_ms, 2);
  EXPECT_DOUBLE_EQ(result.mean_ms, 5);
  EXPECT_EQ(result.processes, 3);
  EXPECT_EQ(result.dropped.at("preempted"), 3);
  EXPECT_EQ(result.samples, samples);
  EXPECT_TRUE(result.steady);
  EXPECT_LT(result.low_ms, 5);
  EXPECT_GT(result.high_ms, 5);
}

TEST(Estimate, KeepsItsLowerBoundPositive) {
  std::vector<Sample> samples = {sample(1e-3, 0), sample(9e-3, 0), sample(1e-3, 0)};
  EXPECT_GT(estimate(samples, 1).low_ms, 0);
}

TEST(Estimate, OfNothingIsNoTime) {
  EXPECT_EQ(estimate({}, 1).median_ms, 0);
  EXPECT_EQ(relative_half_width(estimate({}, 1)), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace opbench
