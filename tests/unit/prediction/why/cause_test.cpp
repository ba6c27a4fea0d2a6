#include "prediction/why/cause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace opbench {
namespace {

using ::testing::Contains;
using ::testing::Not;

// A machine of 100 GFLOP/s a thread that reads DRAM with 10 GB/s.
Ceilings synthetic_ceilings() {
  Ceilings ceilings;
  ceilings.cpus = {0, 1};
  ceilings.isa = "avx512";
  ceilings.peak_one_thread = 100;
  ceilings.peak_all_threads = 200;
  ceilings.bandwidth = {{"L1", 16 << 10, 400, 800},
                        {"L2", 256 << 10, 200, 400},
                        {"L3", 2 << 20, 100, 200},
                        {"DRAM", 64 << 20, 10, 15}};
  return ceilings;
}

// A convolution of 0.1 GFLOP on one thread: computing takes 1 ms at the peak, the call 1.1 ms.
// Nothing of it is a cause.
UnitEvidence sound_unit() {
  KernelEvidence kernel;
  kernel.work.flops = 1e8;
  kernel.work.input_bytes = kernel.work.weight_bytes = kernel.work.output_bytes = 1e4;
  kernel.tap_flops = 1e8;
  kernel.target_bits = 512;
  kernel.schedule = "conv2d_direct tile_x=6";
  kernel.code.hot = HotLoop{.function = "k_par_for_out",
                            .instructions = 40,
                            .vector_bits = 512,
                            .arithmetic = 24,
                            .multiply_adds = 24,
                            .memory = 10};
  kernel.code.parallel = {{"k_par_for_out", 64}};
  UnitEvidence unit;
  unit.time_ms = 1.1;
  unit.flops = 1e8;
  unit.bytes = 3e4;
  unit.kernel = kernel;
  unit.machine_bits = 512;
  unit.ceilings = synthetic_ceilings();
  return unit;
}

std::vector<std::string> names_of(const UnitEvidence& unit) {
  std::vector<std::string> names;
  for (const Cause& cause : causes_of(unit, split_time(unit))) names.push_back(cause.name);
  return names;
}

double share_of(const UnitEvidence& unit, const std::string& name) {
  for (const Cause& cause : causes_of(unit, split_time(unit))) {
    if (cause.name == name) return cause.share;
  }
  return 0;
}

TEST(Causes, OfASoundUnitAreUnknown) { EXPECT_TRUE(names_of(sound_unit()).empty()); }

TEST(Causes, OfAUnitWithoutATimeAreUnknown) {
  UnitEvidence unit = sound_unit();
  unit.time_ms = 0;
  EXPECT_TRUE(names_of(unit).empty());
}

TEST(TimeSplit, AddsUpToTheTime) {
  UnitEvidence unit = sound_unit();
  unit.dispatch_ms = 0.01;
  unit.waiting_ms = 0.02;
  const TimeSplit split = split_time(unit);
  double sum = 0;
  for (const TimePart& part : split.parts) sum += part.ms;
  EXPECT_NEAR(sum, 1.1, 1e-9);
  EXPECT_NEAR(split.ms_of(kComputePart), 1, 1e-9);
  EXPECT_EQ(split.scale, 1);
}

TEST(TimeSplit, ScalesModelledPartsThatAreLongerThanTheTime) {
  UnitEvidence unit = sound_unit();
  unit.time_ms = 0.5;
  const TimeSplit split = split_time(unit);
  EXPECT_NEAR(split.ms_of(kComputePart), 0.5, 1e-9);
  EXPECT_NEAR(split.scale, 0.5, 1e-9);
  EXPECT_EQ(split.ms_of(kUnexplainedPart), 0);
}

TEST(TimeSplit, KnowsNoComputingOfOthersThatBeatTheDefinition) {
  UnitEvidence unit = sound_unit();
  unit.kernel.reset();
  unit.time_ms = 0.5;
  const TimeSplit split = split_time(unit);
  EXPECT_TRUE(split.is_fewer_products);
  EXPECT_EQ(split.ms_of(kComputePart), 0);
  EXPECT_NEAR(split.ms_of(kUnexplainedPart), 0.5, 1e-3);
}

TEST(TimeSplit, HidesMovementBehindComputing) {
  UnitEvidence unit = sound_unit();
  EXPECT_EQ(split_time(unit).ms_of("L2"), 0);
  unit.kernel->work.flops = unit.flops = unit.kernel->tap_flops = 1e4;
  unit.kernel->work.input_bytes = 1e5;
  EXPECT_GT(split_time(unit).ms_of("L2"), 0);
}

// What the last cache does not hold, and what the cache mode put out of it.
TEST(TimeSplit, HasOnePartForAllThatComesFromMemory) {
  UnitEvidence unit = sound_unit();
  unit.kernel->work.input_bytes = 2e8;
  unit.kernel->work.weight_bytes = unit.fetched_bytes = 1e8;
  unit.time_ms = 50;
  const TimeSplit split = split_time(unit);
  EXPECT_EQ(std::ranges::count(split.parts, "DRAM", &TimePart::name), 1);
  EXPECT_GT(split.ms_of("DRAM"), 20);
}

TEST(PaddingTaps, AreNamedWhereTheKernelComputesThem) {
  UnitEvidence unit = sound_unit();
  unit.flops = 7e7;
  EXPECT_THAT(names_of(unit), Contains("padding taps computed"));
  EXPECT_NEAR(share_of(unit, "padding taps computed"), 0.3 * 1 / 1.1, 1e-6);
}

TEST(PaddingTaps, AreNotNamedWhereTheKernelLeavesThemOut) {
  UnitEvidence unit = sound_unit();
  unit.flops = unit.kernel->work.flops = 7e7;
  EXPECT_THAT(names_of(unit), Not(Contains("padding taps computed")));
}

TEST(UnevenThreads, AreNamedWhereTasksDoNotDivide) {
  UnitEvidence unit = sound_unit();
  unit.threads = unit.cpus = 2;
  unit.kernel->code.parallel[0].tasks = 3;
  EXPECT_THAT(names_of(unit), Contains("uneven threads"));
  unit.kernel->code.parallel[0].tasks = 4;
  EXPECT_THAT(names_of(unit), Not(Contains("uneven threads")));
}

TEST(MissingThreads, AreNamedWhereThereAreFewerTasks) {
  UnitEvidence unit = sound_unit();
  unit.threads = unit.cpus = 2;
  unit.kernel->code.parallel[0].tasks = 1;
  EXPECT_THAT(names_of(unit), Contains("missing threads"));
  EXPECT_THAT(names_of(unit), Not(Contains("uneven threads")));
  unit.kernel->code.parallel[0].tasks = 2;
  EXPECT_THAT(names_of(unit), Not(Contains("missing threads")));
}

TEST(StreamedWeights, AreNamedWhereMemorySuppliesThem) {
  UnitEvidence unit = sound_unit();
  unit.kernel->work.weight_bytes = 4e7;
  unit.time_ms = 4.5;
  unit.streamed_bytes = 4e7;
  EXPECT_THAT(names_of(unit), Contains("weights streamed from memory"));
  unit.streamed_bytes = 0;
  EXPECT_THAT(names_of(unit), Not(Contains("weights streamed from memory")));
}

TEST(ColdCaches, AreNamedWhereTheCacheModeEmptiesThem) {
  UnitEvidence unit = sound_unit();
  unit.kernel->work.weight_bytes = 4e7;
  unit.time_ms = 4.5;
  unit.fetched_bytes = 4e7;
  EXPECT_THAT(names_of(unit), Contains("cold caches"));
  EXPECT_THAT(names_of(unit), Not(Contains("bound by a memory level")));
  EXPECT_THAT(names_of(sound_unit()), Not(Contains("cold caches")));
}

TEST(SmallerIsa, IsNamedWhereTheTargetHasNarrowerVectors) {
  UnitEvidence unit = sound_unit();
  unit.kernel->target_bits = 256;
  unit.narrow_peak_ratio = 0.5;
  unit.time_ms = 2.2;
  EXPECT_THAT(names_of(unit), Contains("smaller ISA"));
  // All that instructions take shrinks with wider vectors, not computing alone.
  EXPECT_NEAR(share_of(unit, "smaller ISA"), 0.5, 1e-9);
  unit.dispatch_ms = 1.1;
  EXPECT_NEAR(share_of(unit, "smaller ISA"), 0.25, 1e-9);
  unit.dispatch_ms = 0;
  // Narrower vectors that compute as much cost nothing.
  unit.narrow_peak_ratio = 1;
  EXPECT_THAT(names_of(unit), Not(Contains("smaller ISA")));
}

TEST(SpilledRegisters, AreNamedWhereTheHotLoopUsesTheStack) {
  UnitEvidence unit = sound_unit();
  unit.kernel->code.hot->stack_loads = 12;
  unit.kernel->code.hot->stack_stores = 12;
  EXPECT_THAT(names_of(unit), Contains("spilled registers"));
  unit.kernel->code.hot->stack_loads = 1;
  unit.kernel->code.hot->stack_stores = 0;
  EXPECT_THAT(names_of(unit), Not(Contains("spilled registers")));
}

TEST(LayoutConversion, IsNamedForUnitsThatAreOneOrHoldSome) {
  UnitEvidence unit = sound_unit();
  unit.converted_bytes = 1e8;
  unit.time_ms = 4;
  EXPECT_THAT(names_of(unit), Contains("layout conversion"));
  unit.converted_bytes = 0;
  EXPECT_THAT(names_of(unit), Not(Contains("layout conversion")));
  unit.is_layout_change = true;
  EXPECT_EQ(share_of(unit, "layout conversion"), 1);
}

TEST(Dispatch, IsNamedWhereACallOfNothingTakesLong) {
  UnitEvidence unit = sound_unit();
  unit.dispatch_ms = 0.1;
  EXPECT_THAT(names_of(unit), Contains("dispatch"));
  unit.dispatch_ms = 0.001;
  EXPECT_THAT(names_of(unit), Not(Contains("dispatch")));
}

TEST(ScalarLoop, IsNamedWhereArithmeticIsOnOneLane) {
  UnitEvidence unit = sound_unit();
  unit.kernel->code.hot->scalar = 24;
  unit.time_ms = 10;
  EXPECT_THAT(names_of(unit), Contains("loop not vectorised"));
  unit.kernel->code.hot->scalar = 2;
  EXPECT_THAT(names_of(unit), Not(Contains("loop not vectorised")));
}

TEST(MemoryLevel, IsNamedWhereMovingTakesLongerThanComputing) {
  UnitEvidence unit = sound_unit();
  unit.kernel->work.flops = unit.flops = unit.kernel->tap_flops = 1e5;
  unit.kernel->work.input_bytes = 1e6;
  unit.time_ms = 0.012;
  EXPECT_THAT(names_of(unit), Contains("bound by a memory level"));
  EXPECT_THAT(names_of(sound_unit()), Not(Contains("bound by a memory level")));
}

TEST(TileRemainder, IsNamedWhereTilesReachBeyondTheOutput) {
  UnitEvidence unit = sound_unit();
  unit.kernel->tile_waste = 1.5;
  EXPECT_THAT(names_of(unit), Contains("tiles with a large remainder"));
  unit.kernel->tile_waste = 1.02;
  EXPECT_THAT(names_of(unit), Not(Contains("tiles with a large remainder")));
}

TEST(ReferenceCode, IsNamedWhereThereIsNoKernel) {
  UnitEvidence unit = sound_unit();
  unit.kernel.reset();
  unit.runs_reference = true;
  unit.time_ms = 50;
  EXPECT_THAT(names_of(unit), Contains("no kernel"));
  unit.runs_reference = false;
  EXPECT_THAT(names_of(unit), Not(Contains("no kernel")));
}

TEST(Waiting, IsNamedWhereThreadsHadNoCpu) {
  UnitEvidence unit = sound_unit();
  unit.waiting_ms = 0.3;
  EXPECT_THAT(names_of(unit), Contains("waiting for a CPU"));
  unit.waiting_ms = 0.01;
  EXPECT_THAT(names_of(unit), Not(Contains("waiting for a CPU")));
}

TEST(Causes, ComeTheLargestFirst) {
  UnitEvidence unit = sound_unit();
  unit.flops = 7e7;
  unit.dispatch_ms = 0.1;
  EXPECT_EQ(names_of(unit).front(), "padding taps computed");
}

// A rule without a test is a rule that nobody has seen.
TEST(Causes, HaveNamesOfTheirOwn) {
  const std::vector<std::string> names = cause_table().names();
  EXPECT_GE(names.size(), 10U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace opbench
