#include "records/record/own_trial.h"

#include <gtest/gtest.h>

#include "records/record/tuning_to_benchmark.h"

namespace opbench {
namespace {

TuningRecord trial(const std::string& task, const std::string& version) {
  TuningRecord record{.target = "llvm -mcpu=haswell", .task = task};
  record.config = KnobConfig{};
  record.result = {.costs_s = {0.001}, .all_cost_s = 1.0, .timestamp = 1.7e9};
  if (!version.empty()) record.tvm_version = version;
  return record;
}

BenchmarkRecord converted(const TuningRecord& record) {
  std::vector<RecordIssue> ignored;
  return benchmark_of(record, ignored);
}

TEST(OwnTrial, IsToldByItsVersionOrTask) {
  EXPECT_EQ(own_version_of(trial("conv2d_NCHWc.x86", "0.8.0")), std::nullopt);
  EXPECT_EQ(own_version_of(trial("conv2d_NCHWc.x86", own_tvm_version("0.1.0"))), "0.1.0");
  EXPECT_EQ(own_version_of(trial("conv2d_direct.opbench", "0.8.0")), "");
  EXPECT_EQ(own_schedule_of(trial("conv2d_direct.opbench", "")), "conv2d_direct");
}

TEST(OwnTrial, BecomesARecordOfItsEngine) {
  const BenchmarkRecord tvm = converted(trial("conv2d_NCHWc.x86", "0.9.dev0"));
  EXPECT_EQ(tvm.engine, "tvm");
  EXPECT_EQ(tvm.engine_version, "0.9.dev0");
  const BenchmarkRecord ours = converted(trial("conv2d_NCHWc.x86", own_tvm_version("0.1.0")));
  EXPECT_EQ(ours.engine, "halide");
  EXPECT_EQ(ours.engine_version, "0.1.0");
  EXPECT_EQ(ours.workload, "topi.conv2d_NCHWc.x86");
  TuningRecord own = trial("conv2d_direct.opbench", "0.8.0");
  own.arguments = {{"", Argument::of_string("conv2d 1x3x8x8 w:4x3x3x3; relu")}};
  const BenchmarkRecord schedule = converted(own);
  EXPECT_EQ(schedule.engine, "halide");
  EXPECT_EQ(schedule.engine_version, std::nullopt);
  EXPECT_EQ(schedule.workload, "opbench.conv2d 1x3x8x8 w:4x3x3x3; relu");
  EXPECT_NE(schedule.compilation_config->text.find(R"("schedule":"conv2d_direct")"),
            std::string::npos);
}

}  // namespace
}  // namespace opbench
