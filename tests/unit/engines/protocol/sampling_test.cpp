#include "engines/protocol/sampling.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <utility>

#include "base/system/cpu_wait.h"
#include "base/system/monotonic_clock.h"

namespace opbench {
namespace {

struct Counts {
  int calls = 0;
  int touches = 0;
  std::string order = {};  ///< c, t, w: a call, a touch, a waking
};

Json take(Counts& counts, const Json& params) {
  return take_samples({[&] {
                         ++counts.calls;
                         counts.order += 'c';
                       },
                       [&] {
                         ++counts.touches;
                         counts.order += 't';
                       },
                       [&] { counts.order += 'w'; }},
                      params);
}

TEST(Sampling, MakesNumberCallsForEachSampleAndOneBefore) {
  Counts counts;
  const Json samples = take(counts, {{"number", 5}, {"repeats", 4}}).at("samples");
  EXPECT_EQ(counts.calls, 21);
  ASSERT_EQ(samples.size(), 4U);
  for (const char* field :
       {"wall_s", "cpu_s", "involuntary_switches", "waited_s", "minor_faults", "cpu", "migrated"}) {
    EXPECT_TRUE(samples[3].contains(field)) << field;
  }
}

TEST(Sampling, AsksForTheDevicesClockAroundEachSample) {
  int calls = 0;
  SampledCall sampled{[&] { ++calls; }, {}, {}};
  int flushes = 0;
  sampled.on_device = [&] {
    const int made = std::exchange(calls, 0);
    return DeviceSeconds{.all = 0.25 * made, .copies = 0.125 * made};
  };
  sampled.flush_device = [&](double times) {
    EXPECT_EQ(times, 0.01);
    ++flushes;
  };
  for (const char* cache : {"hot", "cold-all"}) {
    const Json samples =
        take_samples(sampled, {{"number", 4}, {"repeats", 2}, {"cache", cache}, {"flushed", 0.01}})
            .at("samples");
    for (const Json& sample : samples) {
      EXPECT_EQ(sample.at("device_s"), 0.25) << cache;
      EXPECT_EQ(sample.at("copies_s"), 0.125) << cache;
    }
    EXPECT_EQ(flushes, cache == std::string("hot") ? 0 : 8) << "before each cold call";
  }
  Counts counts;
  const Json of_cpu = take(counts, {{"number", 1}, {"repeats", 1}}).at("samples");
  EXPECT_FALSE(of_cpu[0].contains("device_s"));
}

TEST(Sampling, ReadsWhatThreadsWaitedForACpuInLongSamples) {
  const auto spin = [] {
    for (const double end = monotonic_s() + 0.011; monotonic_s() < end;) continue;
  };
  const Json longs = take_samples({spin, {}, {}}, {{"number", 1}, {"repeats", 2}}).at("samples");
  for (const Json& sample : longs) {
    EXPECT_EQ(sample["waited_s"].is_number(), cpu_wait_s().has_value());
  }
  const Json shorts = take_samples({[] {}, {}, {}}, {{"number", 1}, {"repeats", 9}}).at("samples");
  for (size_t i = 1; i < shorts.size(); ++i) {
    // Beside busy programs a sample may be long: the next one is read then.
    const bool is_after_short = shorts[i - 1]["wall_s"].get<double>() < 0.01;
    EXPECT_TRUE(shorts[i]["waited_s"].is_null() || !is_after_short) << i;
  }
}

TEST(Sampling, WarmsUpByCalls) {
  Counts counts;
  take(counts, {{"number", 1}, {"repeats", 1}, {"warm_up_calls", 7}, {"warm_up_ms", 0}});
  EXPECT_EQ(counts.calls, 9);
}

TEST(Sampling, WakesOtherThreadsBeforeTheyAreTimed) {
  Counts hot;
  take(hot, {{"number", 2}, {"repeats", 2}, {"warm_up_calls", 1}});
  EXPECT_EQ(hot.order, "cwccccc");
  Counts cold;
  take(cold, {{"number", 2}, {"repeats", 1}, {"cache", "cold-weights"}, {"flushed", 0.01}});
  EXPECT_EQ(cold.order, "wctwctwc");
}

TEST(Sampling, WarmsUpByTime) {
  Counts counts;
  take(counts, {{"number", 1}, {"repeats", 1}, {"warm_up_ms", 1}});
  EXPECT_GT(counts.calls, 2);
}

TEST(Sampling, GivesTheTimePerCall) {
  int64_t work = 0;
  const auto spin = [&] {
    for (int i = 0; i < 100000; ++i) asm volatile("" : "+r"(work));
  };
  const Json samples = take_samples({spin, {}, {}}, {{"number", 20}, {"repeats", 1}});
  const double per_call = samples["samples"][0]["wall_s"].get<double>();
  EXPECT_GT(per_call, 1e-6);  // 100 000 iterations: a cycle each is 25 µs or so
  EXPECT_LT(samples["samples"][0]["cpu_s"].get<double>(), per_call * 1.5);
}

TEST(Sampling, TouchesActivationsOnlyForColdWeights) {
  Counts counts;
  take(counts, {{"number", 2}, {"repeats", 1}, {"cache", "cold-all"}});
  EXPECT_EQ(counts.touches, 0);
  take(counts, {{"number", 2}, {"repeats", 1}, {"cache", "cold-weights"}});
  EXPECT_EQ(counts.touches, 2);
}

TEST(Sampling, RefusesParamsOutOfRange) {
  Counts counts;
  EXPECT_THROW(take(counts, {{"number", 0}}), std::invalid_argument);
  EXPECT_THROW(take(counts, {{"repeats", -1}}), std::invalid_argument);
  EXPECT_THROW(take(counts, {{"cache", "lukewarm"}}), std::invalid_argument);
}

TEST(Sampling, PassesOnWhatACallThrows) {
  const auto fails = [] { throw std::runtime_error("kernel returned 3"); };
  EXPECT_THROW(take_samples({fails, {}, {}}, Json::object()), std::runtime_error);
}

TEST(Sampling, KnowsTheLargestCache) {
  EXPECT_GE(last_level_cache_bytes(), size_t{16} << 10);
  EXPECT_LE(last_level_cache_bytes(), size_t{4} << 30);
}

}  // namespace
}  // namespace opbench
