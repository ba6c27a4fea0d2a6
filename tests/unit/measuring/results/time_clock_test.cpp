#include "measuring/results/time_clock.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "measuring/results/estimate.h"
#include "measuring/results/percentiles.h"
#include "measuring/results/sample_flags.h"
#include "measuring/results/sample_json.h"
#include "measuring/results/unit_totals.h"

namespace opbench {
namespace {

constexpr TimeClock kAll[] = {TimeClock::kWall, TimeClock::kEvent, TimeClock::kSimulated,
                              TimeClock::kEmulated};

TEST(TimeClock, HasANameThatCanBeRead) {
  for (const TimeClock clock : kAll) EXPECT_EQ(time_clock_named(name_of(clock)), clock);
  EXPECT_FALSE(time_clock_named("lamport"));
  EXPECT_FALSE(time_clock_named(""));
}

TEST(TimeClock, AVerdictNeedsOneClockThatIsNoEmulators) {
  for (const TimeClock base : kAll) {
    for (const TimeClock candidate : kAll) {
      const bool may_be_judged = base == candidate && base != TimeClock::kEmulated;
      EXPECT_EQ(why_no_verdict(base, candidate).empty(), may_be_judged)
          << name_of(base) << " " << name_of(candidate);
    }
  }
  EXPECT_EQ(why_no_verdict(TimeClock::kWall, TimeClock::kSimulated),
            "the times are from different clocks, wall and simulated: a ratio, no verdict");
}

TEST(TimeClock, SamplesNameTheirs) {
  EXPECT_EQ(parse_sample({{"wall_s", 1.0}})->clock, TimeClock::kWall);
  EXPECT_EQ(parse_sample({{"wall_s", 1.0}, {"clock", nullptr}})->clock, TimeClock::kWall);
  const auto simulated = parse_sample({{"wall_s", 1.0}, {"clock", "simulated"}});
  EXPECT_EQ(simulated->clock, TimeClock::kSimulated);
  EXPECT_FALSE(parse_sample({{"wall_s", 1.0}, {"clock", "lamport"}}));
  EXPECT_FALSE(parse_sample({{"wall_s", 1.0}, {"clock", 7}}));
  EXPECT_EQ(estimate({*simulated, *simulated}, 0).clock, TimeClock::kSimulated);
}

TEST(TimeClock, WhatDisturbsASimulatorDisturbsNoSimulatedTime) {
  Sample sample{.wall_s = 1, .cpu_s = 0.1, .involuntary_switches = 5};
  EXPECT_EQ(flag_of(sample, {}), "preempted");
  sample.clock = TimeClock::kSimulated;
  EXPECT_EQ(flag_of(sample, {}), "");
}

TEST(TimeClock, AThreadThatWaitsForItsDeviceIsNotPreempted) {
  Sample sample{.wall_s = 1, .cpu_s = 0.1};
  EXPECT_EQ(flag_of(sample, {}), "preempted");
  sample.device_s = 0.9;
  EXPECT_EQ(flag_of(sample, {}), "");
}

TEST(TimeClock, OfAnEngineIsThatOfItsTimes) {
  EngineResult engine;
  EXPECT_EQ(clock_of(engine), TimeClock::kWall);
  engine.units.resize(2);
  engine.units[1].time = Measurement{.clock = TimeClock::kSimulated};
  EXPECT_EQ(clock_of(engine), TimeClock::kSimulated);
  engine.emulator = "qemu-aarch64 7.2";
  EXPECT_EQ(clock_of(engine), TimeClock::kEmulated);
}

TEST(DeviceTimes, AreMediansOfWhatSamplesSay) {
  const Measurement time = estimate({{.wall_s = 0.010, .device_s = 0.009, .copies_s = 0.002},
                                     {.wall_s = 0.011, .device_s = 0.010, .copies_s = 0.004},
                                     {.wall_s = 0.012, .device_s = 0.011, .copies_s = 0.003}},
                                    0);
  EXPECT_DOUBLE_EQ(*device_ms(time), 10);
  EXPECT_DOUBLE_EQ(*copies_ms(time), 3);
  EXPECT_DOUBLE_EQ(*without_copies_ms(time), 8) << "the median of 8, 7 and 9";
  const Measurement of_cpu = estimate({{.wall_s = 0.010}}, 0);
  EXPECT_FALSE(device_ms(of_cpu) || copies_ms(of_cpu) || without_copies_ms(of_cpu));
}

TEST(DeviceTimes, AreTakenFromAReportWhoseSamplesLackThem) {
  Measurement time = estimate({{.wall_s = 0.010}}, 0);
  time.device_ms = 9;
  time.copies_ms = 2;
  time.without_copies_ms = 8;
  EXPECT_EQ(device_ms(time), 9);
  EXPECT_EQ(copies_ms(time), 2);
  EXPECT_EQ(without_copies_ms(time), 8);
}

TEST(DeviceTimes, NameTheDevice) {
  EXPECT_EQ(device_name({}), "");
  EXPECT_EQ(device_name({{"kind", "opencl"}}), "opencl");
  EXPECT_EQ(device_name({{"kind", "opencl"}, {"description", "Mali-T860"}}), "Mali-T860");
  EXPECT_EQ(device_name({{"description", "Mali-T860"}, {"platform", "ARM"}}), "Mali-T860, ARM");
}

}  // namespace
}  // namespace opbench
