#include "experiments/sessions/check/cold_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

double bytes_of_text(const std::string& text, CacheMode cache) {
  const auto workload = parse_workload(text);
  EXPECT_TRUE(workload) << text;
  return workload ? bytes_to_fetch(*workload, cache) : -1;
}

/// 10 GB/s.
UnitResult checked(const std::string& text, double time_ms, CacheMode cache) {
  EngineResult engine;
  engine.memory_gbytes_per_s = 10;
  UnitResult unit;
  unit.time.emplace().median_ms = time_ms;
  const Workload workload = *parse_workload(text);
  check_cold(unit, &workload, engine, cache);
  return unit;
}

TEST(BytesToFetch, CountsWeightsAndForColdAllTheRest) {
  constexpr auto kDense = "dense 1x512 w:1000x512 transB=1";
  const std::string conv = "conv2d 1x8x10x10 w:16x8x3x3 w:16 pads=1,1,1,1; relu";
  EXPECT_EQ(bytes_of_text(conv, CacheMode::kColdWeights), 4 * (16 * 8 * 9 + 16));
  EXPECT_EQ(bytes_of_text(conv, CacheMode::kColdAll), 4 * (16 * 8 * 9 + 16 + 800 + 1600));
  EXPECT_EQ(bytes_of_text(conv, CacheMode::kHot), 0);
  EXPECT_EQ(bytes_of_text(kDense, CacheMode::kColdWeights), 4 * 512'000);
  EXPECT_EQ(bytes_of_text("relu 1x64", CacheMode::kColdWeights), 0);
}

TEST(BytesToFetch, LeavesOutWhatACallNeedNotRead) {
  EXPECT_EQ(bytes_of_text("gather w:1000x64 5:int64", CacheMode::kColdWeights), 0);
  EXPECT_EQ(bytes_of_text("gather w:1000x64 5:int64", CacheMode::kColdAll), 5 * 8 + 4 * 5 * 64);
  EXPECT_EQ(bytes_of_text("conv2d 1x8x10x10 w:16x8x1x1 strides=2,2", CacheMode::kColdAll),
            4 * (16 * 8 + 16 * 25))
      << "the window jumps over three of four inputs";
  EXPECT_EQ(bytes_of_text("max_pool 1x8x10x10 kernel_shape=2,2 strides=2,2", CacheMode::kColdAll),
            4 * (800 + 200));
  EXPECT_EQ(bytes_of_text("flatten 1x8x10x10", CacheMode::kColdAll), 0);
}

TEST(CheckCold, ComparesWithWhatMemoryDelivers) {
  // 1 MB in and 1 MB out: 2 MB at 10.5 GB/s take 0.1905 ms.
  EXPECT_EQ(checked("relu 1x250000", 0.191, CacheMode::kColdAll).is_cold, true);
  const UnitResult warm = checked("relu 1x250000", 0.19, CacheMode::kColdAll);
  EXPECT_EQ(warm.is_cold, false);
  EXPECT_EQ(warm.no_cold_reason, "");
}

TEST(CheckCold, CountsOnlyWeightsWhereOnlyThoseAreCold) {
  const std::string add = "add 1x250000 w:250000";
  EXPECT_EQ(checked(add, 0.1, CacheMode::kColdWeights).is_cold, true);
  EXPECT_EQ(checked(add, 0.1, CacheMode::kColdAll).is_cold, false);
  EXPECT_EQ(checked(add, 0.09, CacheMode::kColdWeights).is_cold, false);
}

TEST(CheckCold, SaysWhyNothingIsKnown) {
  EXPECT_EQ(checked("relu 1x64", 1, CacheMode::kHot).no_cold_reason, "the caches are hot");
  EXPECT_EQ(checked("relu 1x64", 1, CacheMode::kColdWeights).no_cold_reason,
            "it has no weights that it reads whole");
  EXPECT_EQ(checked("relu 1x64", 0, CacheMode::kColdAll).no_cold_reason,
            "not measured in isolation");
  UnitResult unit;
  unit.time.emplace().median_ms = 1;
  unit.is_cold = true;
  check_cold(unit, nullptr, {.memory_gbytes_per_s = 10}, CacheMode::kColdAll);
  EXPECT_FALSE(unit.is_cold);
  EXPECT_EQ(unit.no_cold_reason, "how much it must fetch is not known");
  check_cold(unit, nullptr, {}, CacheMode::kColdAll);
  EXPECT_EQ(unit.no_cold_reason, "the memory's bandwidth is not known");
}

TEST(ColdWarning, SaysWhatSuchRowsMean) {
  EngineResult engine{.engine = "halide", .memory_gbytes_per_s = 28.4};
  engine.units.resize(3);
  engine.units[0].is_cold = true;
  EXPECT_EQ(cold_warning(engine, CacheMode::kColdAll), "");
  engine.units[1].is_cold = false;
  EXPECT_EQ(cold_warning(engine, CacheMode::kColdAll),
            "1 row of halide is not cold: what --cache cold-all is to put out of the caches came "
            "faster than memory delivers it (28.4 GB/s), so some of it was still there; such a "
            "time lies between cold and hot");
  engine.units[2].is_cold = false;
  EXPECT_THAT(cold_warning(engine, CacheMode::kColdWeights), HasSubstr("2 rows of halide are"));
}

}  // namespace
}  // namespace opbench
