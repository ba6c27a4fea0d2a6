#include "measuring/sampling/in_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// A machine on which each run is delayed by 30 to 130 % with probability `delayed`, in one of its
/// units; units of 1, 2, … ms, dispatch of 0.1 ms a unit, clock readings of `profiler_s` a unit.
struct NoisyModel {
  int units = 20;
  double delayed = 0;
  double jitter = 0.01;
  double profiler_s = 0;
  double between = 0.005;  ///< processes differ by that deviation
  uint64_t seed = 1;

  std::vector<std::vector<ProfileRun>> run(size_t processes, size_t count) const {
    Random random(seed);
    std::vector<std::vector<ProfileRun>> result(processes);
    for (auto& runs : result) {
      const double speed = 1 + between * random.normal();
      for (size_t i = 0; i < count; ++i) runs.push_back(one(random, speed));
    }
    return result;
  }

 private:
  std::vector<double> times(Random& random, double speed) const {
    std::vector<double> result;
    const double common = 1 + jitter * random.normal();
    for (int i = 0; i < units; ++i) {
      result.push_back(1e-3 * (i + 1) * speed * common * (1 + jitter * random.normal()));
    }
    if (random.uniform() < delayed) {
      const double total = std::accumulate(result.begin(), result.end(), 0.0);
      result[random.below(result.size())] += total * (0.3 + random.uniform());
    }
    return result;
  }
  ProfileRun one(Random& random, double speed) const {
    ProfileRun run;
    const double dispatch = 1e-4 * units;
    const std::vector<double> plain = times(random, speed);
    run.plain.wall_s = std::accumulate(plain.begin(), plain.end(), dispatch);
    run.units_s = times(random, speed);
    run.instrumented.wall_s =
        std::accumulate(run.units_s.begin(), run.units_s.end(), dispatch + units * profiler_s);
    return run;
  }
};

TEST(InPlace, TellsHowFarEachMeanMayBeOff) {
  const NoisyModel quiet{.units = 3, .jitter = 0, .between = 0};
  const auto exact = in_place_times(quiet.run(3, 40), 1, 0);
  ASSERT_TRUE(exact);
  ASSERT_EQ(exact->units_error_ms.size(), 3U);
  for (const double error : exact->units_error_ms) EXPECT_NEAR(error, 0, 1e-9);
  const NoisyModel noisy{.units = 3, .jitter = 0.02, .between = 0};
  const auto found = in_place_times(noisy.run(3, 40), 1, 0);
  ASSERT_TRUE(found);
  // A unit's own 2 % over the root of the chosen runs; the common part is alike in those.
  const double expected = 3 * 0.02 / std::sqrt(static_cast<double>(found->chosen));
  EXPECT_GT(found->units_error_ms[2], expected / 2.5);
  EXPECT_LT(found->units_error_ms[2], expected * 2.5);
}

TEST(InPlace, AddsUpExactlyInAQuietModel) {
  const auto found = in_place_times(NoisyModel{.jitter = 0, .between = 0}.run(3, 10), 1, 1);
  ASSERT_TRUE(found);
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(found->units_ms[static_cast<size_t>(i)], i + 1, 1e-9);
  EXPECT_NEAR(found->sum_ms, 210, 1e-9);
  EXPECT_NEAR(found->dispatch_ms, 2, 1e-9);
  EXPECT_NEAR(found->end_to_end.median_ms, 212, 1e-9);
  EXPECT_NEAR(found->gap_percent, 0, 1e-9);
  EXPECT_NEAR(found->profiler_slowdown_percent, 0, 1e-9);
  EXPECT_EQ(found->runs, 27);
  EXPECT_EQ(found->chosen, 6);
}

TEST(InPlace, SumAndDispatchAreTheChosenRunsTotalUnderAnyNoise) {
  const auto runs = NoisyModel{.delayed = 0.5, .jitter = 0.1}.run(3, 15);
  const auto found = in_place_times(runs, 1, 1);
  ASSERT_TRUE(found);
  EXPECT_NEAR(std::accumulate(found->units_ms.begin(), found->units_ms.end(), 0.0), found->sum_ms,
              1e-9);
  const double total = found->sum_ms + found->dispatch_ms;
  EXPECT_NEAR(found->gap_percent, 100 * (1 - total / found->end_to_end.median_ms), 1e-9);
  EXPECT_NEAR(found->dispatch_ms, 2, 1e-6);
}

TEST(InPlace, ClosesTheBooksOnASharedMachine) {
  int closed = 0;
  double worst_unit = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const auto found =
        in_place_times(NoisyModel{.delayed = 0.25, .seed = seed}.run(3, 20), 1, seed);
    closed += std::abs(found->gap_percent) <= 3 ? 1 : 0;
    worst_unit = std::max(worst_unit, std::abs(found->units_ms[19] / 20 - 1));
  }
  EXPECT_GE(closed, 198);
  EXPECT_LT(worst_unit, 0.15);
}

// Half of the time the machine is slower by 40 %, for ten pairs on average.
TEST(InPlace, ClosesTheBooksOnAMachineOfTwoSpeeds) {
  int closed = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    auto runs = NoisyModel{.seed = seed}.run(3, 200);
    Random random(seed);
    bool is_slow = false;
    for (auto& process : runs) {
      for (ProfileRun& run : process) {
        if (random.uniform() < 0.1) is_slow = !is_slow;
        if (!is_slow) continue;
        run.plain.wall_s *= 1.4;
        run.instrumented.wall_s *= 1.4;
        for (double& unit_s : run.units_s) unit_s *= 1.4;
      }
    }
    const auto found = in_place_times(runs, 1, seed);
    closed += std::abs(found->gap_percent) <= 3 ? 1 : 0;
  }
  EXPECT_GE(closed, 180);
}

TEST(InPlace, LeavesOutPairsWithADisturbedRun) {
  auto runs = NoisyModel{.jitter = 0, .between = 0}.run(1, 9);
  for (const size_t i : {2, 4, 6}) {
    runs[0][i].plain.wall_s = 9;
    runs[0][i].plain.involuntary_switches = 1;
  }
  runs[0][7].instrumented.wall_s = 9;
  runs[0][7].instrumented.involuntary_switches = 3;
  const auto found = in_place_times(runs, 2, 1);
  EXPECT_EQ(found->runs, 4);
  EXPECT_EQ(found->end_to_end.dropped.at("preempted"), 4);
  EXPECT_NEAR(found->end_to_end.high_ms, 212, 1e-9);
  EXPECT_NEAR(found->sum_ms + found->dispatch_ms, 212, 1e-9);
}

TEST(InPlace, CountsDisturbedPairsWhenTooFewOthersRemain) {
  auto runs = NoisyModel{.jitter = 0, .between = 0}.run(1, 9);
  for (ProfileRun& run : runs[0]) run.plain.involuntary_switches = 1;
  const auto found = in_place_times(runs, 2, 1);
  EXPECT_EQ(found->runs, 8);
  EXPECT_FALSE(found->end_to_end.steady);
}

TEST(InPlace, ShowsTheProfilersOwnTime) {
  const auto found =
      in_place_times(NoisyModel{.jitter = 0, .profiler_s = 1e-4, .between = 0}.run(1, 9), 1, 1);
  EXPECT_NEAR(found->profiler_slowdown_percent, 100 * 2 / 212.0, 1e-9);
  EXPECT_NEAR(found->gap_percent, -100 * 2 / 212.0, 1e-9);
}

TEST(InPlace, DropsTheFirstRunOfAProcessAsWarmUp) {
  auto runs = NoisyModel{.jitter = 0, .between = 0}.run(1, 6);
  runs[0][0].plain.wall_s = 9;
  const auto found = in_place_times(runs, 1, 1);
  EXPECT_EQ(found->end_to_end.dropped.at("warm_up"), 1);
  EXPECT_EQ(found->end_to_end.samples.size(), 6U);
  EXPECT_NEAR(found->end_to_end.high_ms, 212, 1e-9);
}

TEST(InPlace, WorksWithOneRunAndFailsWithNone) {
  EXPECT_TRUE(in_place_times(NoisyModel{}.run(1, 1), 1, 1));
  EXPECT_FALSE(in_place_times({}, 1, 1));
  EXPECT_FALSE(in_place_times({{}, {}}, 1, 1));
}

TEST(InPlace, RefusesProcessesWithDifferentUnits) {
  auto runs = NoisyModel{.units = 3}.run(2, 2);
  for (ProfileRun& run : runs[1]) run.units_s.pop_back();
  runs[1][0].instrumented.wall_s = runs[0][0].instrumented.wall_s;
  EXPECT_FALSE(in_place_times(runs, 1, 1));
}

TEST(ParseProfileRuns, ReadsTheReply) {
  const auto runs = parse_profile_runs(Json::parse(
      R"({"runs": [{"plain": {"wall_s": 1, "involuntary_switches": 2, "cpu": null},
                    "instrumented": {"wall_s": 1.5, "cpu_s": 2.5}, "units_s": [0.5, 0],
                    "order": 1}]})"));
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->front().plain.wall_s, 1);
  EXPECT_EQ(runs->front().plain.involuntary_switches, 2);
  EXPECT_EQ(runs->front().plain.cpu, -1);
  EXPECT_EQ(runs->front().instrumented.cpu_s, 2.5);
  EXPECT_EQ(runs->front().units_s, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(runs->front().order, 1);
}

TEST(ParseProfileRuns, RefusesWhatIsNotARun) {
  for (const char* text :
       {"{}", R"({"runs": []})", R"({"runs": [4]})", R"({"runs": [{"plain": {"wall_s": 1}}]})",
        R"({"runs": [{"plain": 1, "instrumented": 1, "units_s": []}]})",
        R"({"runs": [{"plain": {"wall_s": 0}, "instrumented": {"wall_s": 1}, "units_s": []}]})",
        R"({"runs": [{"plain": {"wall_s": 1}, "instrumented": {"wall_s": 1}, "units_s": [-1]}]})",
        R"({"runs": [{"plain": {"wall_s": 1}, "instrumented": {"wall_s": 1}, "units_s": [1]},
                     {"plain": {"wall_s": 1}, "instrumented": {"wall_s": 1},
                      "units_s": [1, 1]}]})"}) {
    EXPECT_FALSE(parse_profile_runs(Json::parse(text))) << text;
  }
}

}  // namespace
}  // namespace opbench
