#include "records/formats/record_diff.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

BenchmarkRecord record_diff_benchmark() {
  BenchmarkRecord record{.timestamp = "2026-11-21T00:00:00Z", .status = "ok"};
  record.workload = "onnx.resnet-18";
  record.engine = "halide";
  record.hardware = "here";
  record.runtime_config = JsonText{R"({"num_cpu_threads":2})"};
  record.runtime_ms_mean = 4;
  record.runtime_ms_median = 2;
  return record;
}

TEST(RecordDiff, LeavesOutResultsAndMoments) {
  BenchmarkRecord other = record_diff_benchmark();
  other.timestamp = "2026-11-22T00:00:00Z";
  other.runtime_ms_median = 3;
  other.record_id = "abc";
  EXPECT_TRUE(diff_records(record_diff_benchmark(), other).empty());
  EXPECT_EQ(time_of(AnyRecord(other)), 0.003);
}

TEST(RecordDiff, SaysWhatMatters) {
  BenchmarkRecord other = record_diff_benchmark();
  other.engine = "onednn";
  other.runtime_config = JsonText{R"({"num_cpu_threads":4})"};
  const auto differences = diff_records(record_diff_benchmark(), other);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].field, "engine");
  EXPECT_FALSE(differences[0].matters);
  EXPECT_EQ(differences[1].field, "runtime_config.num_cpu_threads");
  EXPECT_EQ(differences[1].a, "2");
  EXPECT_EQ(differences[1].b, "4");
  EXPECT_TRUE(differences[1].matters);
}

TEST(RecordDiff, TakesARunAndItsRepetitionAsOneExperiment) {
  BenchmarkRecord first = record_diff_benchmark(), second = record_diff_benchmark();
  first.machine_hash = second.machine_hash = "m1";
  first.hardware_config = JsonText{
      R"({"machine":{"memory_bytes":17000000000,"numa_nodes":[{"cpus":[0],"memory_bytes":9}]},)"
      R"("memory_GB":17.0})"};
  second.hardware_config = JsonText{
      R"({"machine":{"memory_bytes":17000100000,"numa_nodes":[{"cpus":[0],"memory_bytes":8}]},)"
      R"("memory_GB":17.0001})"};
  first.execution_config = JsonText{R"({"number":4,"repeat":30,"effective_n":20.5})"};
  second.execution_config = JsonText{R"({"number":5,"repeat":25,"effective_n":9})"};
  first.engine_config = JsonText{R"({"call_floor_ms":0.01})"};
  second.engine_config = JsonText{R"({"call_floor_ms":0.02})"};
  first.metadata = JsonText{R"({"state":{"load_average":1}})"};
  second.metadata = JsonText{R"({"state":{"load_average":2},"bound":"memory"})"};
  first.workload_metadata = JsonText{R"({"steps":[{"workload":"opbench.relu","in_place_ms":1}]})"};
  second.workload_metadata = JsonText{R"({"steps":[{"workload":"opbench.relu","in_place_ms":2}]})"};
  EXPECT_TRUE(diff_records(first, second).empty());
  second.cache = "cold";
  second.execution_config = JsonText{R"({"number":5,"cold":true})"};
  const auto differences = diff_records(first, second);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_TRUE(differences[0].matters && differences[1].matters);
}

TEST(RecordDiff, DoesNotCompareATrialWithABenchmark) {
  const auto differences = diff_records(TuningRecord{.target = "llvm"}, record_diff_benchmark());
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].field, "kind");
  EXPECT_TRUE(differences[0].matters);
  EXPECT_FALSE(time_of(AnyRecord(TuningRecord{})));
}

TEST(RecordDiff, TakesTwoWaysToWriteATargetAsOne) {
  TuningRecord a{.target = "opencl -model=rk3399 -device=mali", .task = "t"};
  TuningRecord b{.target = "opencl -device=mali -model=rk3399", .task = "t"};
  EXPECT_TRUE(diff_records(a, b).empty());
  b.arguments.push_back({"", Argument::of_int(1)});
  ASSERT_EQ(diff_records(a, b).size(), 1u);
  EXPECT_EQ(diff_records(a, b)[0].a, "-");
}

}  // namespace
}  // namespace opbench
