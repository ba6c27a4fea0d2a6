#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "measuring/sampling/in_place.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Runs of a model of two units, of which the instrumented ones take `profiler_s` more.
std::vector<std::vector<ProfileRun>> runs_of(double plain_s, double profiler_s,
                                             size_t disturbed = 0, size_t count = 8) {
  std::vector<ProfileRun> runs;
  for (size_t i = 0; i < count; ++i) {
    ProfileRun run;
    run.plain.wall_s = run.plain.cpu_s = plain_s;
    run.instrumented.wall_s = run.instrumented.cpu_s = plain_s + profiler_s;
    run.units_s = {plain_s * 0.43, plain_s * 0.37};
    if (i < disturbed) run.plain.involuntary_switches = 1;
    runs.push_back(run);
  }
  return {runs, runs, runs};
}

InPlace unit_sum(const std::vector<std::vector<ProfileRun>>& runs,
                 const UnitSumOptions& options = {}) {
  const auto found = in_place_times(runs, 1, 1, options);
  return found ? *found : InPlace{.inconclusive = "failed"};
}

TEST(UnitSum, IsInconclusiveWhereEveryRunWasDisturbed) {
  EXPECT_EQ(unit_sum(runs_of(0.1, 0.02, 8)).inconclusive,
            "every run of the model disturbed (preempted 21)");
  EXPECT_THAT(unit_sum(runs_of(0.1, 0.02, 7)).inconclusive,
              HasSubstr("18 of 21 runs of the model"));
  EXPECT_THAT(unit_sum(runs_of(0.1, 0.02, 3)).inconclusive, IsEmpty());
  EXPECT_THAT(unit_sum(runs_of(0.1, 0.02)).inconclusive, IsEmpty());
}

TEST(UnitSum, IsInconclusiveOnARestlessMachine) {
  EXPECT_THAT(unit_sum(runs_of(0.1, 0), {.noise_percent = 14.2}).inconclusive,
              HasSubstr("varies by 14.2 %"));
  EXPECT_THAT(unit_sum(runs_of(0.1, 0), {.noise_percent = 9.9}).inconclusive, IsEmpty());
}

TEST(UnitSum, CountsTheCallOverheadBesideTheDispatch) {
  const InPlace found = unit_sum(runs_of(1e-3, 0), {.call_floor_ms = 0.0055});
  EXPECT_NEAR(found.call_overhead_ms, 0.0055, 1e-9);
  EXPECT_NEAR(found.sum_ms + found.dispatch_ms + found.call_overhead_ms, 1, 1e-9);
  const InPlace all_call = unit_sum(runs_of(1e-5, 0), {.call_floor_ms = 0.0055});
  EXPECT_NEAR(all_call.call_overhead_ms, 0.002, 1e-9);
  EXPECT_NEAR(all_call.dispatch_ms, 0, 1e-9);
}

TEST(UnitSum, SaysSoWhereTheGapIsWithinTheCallOverhead) {
  const InPlace found = unit_sum(runs_of(6e-6, 4e-6), {.call_floor_ms = 0.0055});
  EXPECT_LT(found.gap_percent, -60);
  EXPECT_THAT(found.inconclusive, HasSubstr("4.0 µs apart, within the call overhead (5.5 µs)"));
}

TEST(UnitSum, SaysSoWhereTheProfilerTakesLongerThanTheModel) {
  const InPlace found = unit_sum(runs_of(6e-6, 12.3e-6), {.call_floor_ms = 0.001});
  EXPECT_THAT(found.inconclusive,
              HasSubstr("a run of 6.0 µs is too short for the profiler, which adds 12.3 µs"));
  EXPECT_THAT(unit_sum(runs_of(6e-3, 1.2e-3), {.call_floor_ms = 0.001}).inconclusive, IsEmpty())
      << "a gap of a model that is long enough is a fact";
}

TEST(UnitSum, KnowsAProfilerThatCountsWholeMicroseconds) {
  for (const double added_s : {0.0, 0.5e-6}) {
    std::vector<std::vector<ProfileRun>> runs = runs_of(20e-6, 3e-6);
    for (auto& process : runs) {
      for (ProfileRun& run : process) run.units_s = {9e-6 + added_s, 7e-6 + added_s};
    }
    EXPECT_THAT(unit_sum(runs).inconclusive, HasSubstr("the clock's steps (6.0 µs)")) << added_s;
  }
}

}  // namespace
}  // namespace opbench
