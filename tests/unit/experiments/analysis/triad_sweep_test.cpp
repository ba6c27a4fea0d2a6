#include "experiments/analysis/triad_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(TriadSweep, GoesFromInsideTheFirstCacheToBeyondTheLast) {
  const std::vector<int64_t> sets = triad_working_sets({{1, 32 << 10}, {2, 1 << 20}});
  EXPECT_LT(sets.front(), 8 << 10);
  EXPECT_GT(sets.back(), 3 << 20);
  EXPECT_LE(sets.back(), 4 << 20);
}

TEST(TriadSweep, KnowsTheDataCachesOfACpu) {
  Topology topology;
  topology.caches = {{.level = 2, .bytes = 1 << 20, .cpus = {0, 1}},
                     {.level = 1, .bytes = 32 << 10, .cpus = {0}},
                     {.level = 1, .instruction = true, .bytes = 64 << 10, .cpus = {0}},
                     {.level = 1, .bytes = 48 << 10, .cpus = {1}}};
  const std::vector<CacheSize> caches = caches_of(topology, 0);
  ASSERT_EQ(caches.size(), 2U);
  EXPECT_EQ(caches[0].bytes, 32 << 10);
  EXPECT_EQ(caches[1].level, 2);
}

TEST(TriadSweep, MeasuresEverySetAndCanBeStopped) {
  size_t told = 0;
  const auto times = measure_triad_sweep(
      0, {7680, 76800}, [&](size_t done, size_t total) { told = done * 10 + total; },
      [] { return false; });
  ASSERT_TRUE(times) << to_text(times.error());
  EXPECT_EQ(times->times.size(), 2U);
  EXPECT_EQ(told, 44U);
  const auto stopped = measure_triad_sweep(
      0, {7680}, [](size_t, size_t) {}, [] { return true; });
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace opbench
