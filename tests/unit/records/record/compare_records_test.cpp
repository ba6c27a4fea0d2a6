#include "records/record/compare_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "records/record/record_validation.h"

namespace opbench {
namespace {

Measurement time_of(double ms) {
  Measurement time{.median_ms = ms, .low_ms = ms, .high_ms = ms, .min_ms = ms};
  time.mean_ms = ms;
  time.samples = {{.wall_s = ms / 1e3}, {.wall_s = ms / 1e3, .flag = "preempted"}};
  return time;
}

CompareUnit unit_named(const std::string& name, double base, double candidate) {
  return {.identity = {.operator_text = name,
                       .texts = {.workload = name == "model" ? "" : name + " 1x8"}},
          .base = time_of(base),
          .candidate = time_of(candidate),
          .ratio = Ratio{candidate / base, 0.9, 2.1},
          .verdict = Verdict::kSlower,
          .reason = "slower"};
}

/// Three engines; the second has no model.
CompareResult example() {
  CompareResult result{.run_id = "r1", .timestamp = "2026-11-21T10:00:00Z", .model = "tiny"};
  result.argv = {"opbench", "compare", "tiny"};
  result.environment = environment_from(
      Json::parse(R"({"machine": {"cpu_model": "a CPU"}, "software": {}, "state": {}})"));
  for (const char* engine : {"halide", "onednn", "onnxruntime"}) {
    result.sides.push_back({.label = engine, .engine = engine});
  }
  result.comparisons.push_back({.base = 0, .candidate = 1, .units = {unit_named("relu", 1, 2)}});
  Comparison second{.base = 0, .candidate = 2, .units = {unit_named("relu", 1, 1.5)}};
  second.model = unit_named("model", 3, 6);
  result.comparisons.push_back(second);
  return result;
}

TEST(CompareRecords, AreOneAUnitAndModelOfEverySide) {
  const auto records = records_of(example());
  ASSERT_TRUE(records);
  std::vector<std::string> what;
  for (const BenchmarkRecord& record : *records) {
    what.push_back(record.engine + " " + record.scope);
    EXPECT_FALSE(has_errors(validate_record(to_json(record)))) << to_line(record);
    EXPECT_EQ(record.run_id, "r1");
    EXPECT_EQ(record.reproducer, "opbench compare tiny");
    EXPECT_TRUE(record.record_id);
  }
  EXPECT_THAT(what, testing::ElementsAre("halide model", "halide unit", "onednn model",
                                         "onednn unit", "onnxruntime model", "onnxruntime unit"));
  EXPECT_EQ((*records)[2].status, "error");
}

TEST(CompareRecords, KeepVerdictsAndRatiosOfTheNewSide) {
  const std::vector<BenchmarkRecord> records = records_of(example()).value();
  EXPECT_FALSE(records[1].labels->contains("verdict"));
  EXPECT_EQ(records[1].labels->at("side"), "halide");
  EXPECT_EQ(records[1].runtime_ms_median, 1);
  EXPECT_EQ(records[3].labels->at("verdict"), "slower");
  EXPECT_EQ(records[3].metrics->at("ratio"), 2);
  EXPECT_EQ(records[3].metrics->at("ratio_low"), 0.9);
  EXPECT_EQ(records[4].metrics->at("ratio"), 2);
  EXPECT_EQ(records[4].runtime_ms_median, 6);
  EXPECT_EQ(records[5].metrics->at("ratio"), 1.5);
}

TEST(CompareRecords, SayWhyASideHasNoTime) {
  CompareResult result = example();
  CompareUnit& unit = result.comparisons[0].units[0];
  unit.candidate.reset();
  unit.ratio.reset();
  unit.verdict.reset();
  unit.reason = "onednn does not run it";
  const std::vector<BenchmarkRecord> records = records_of(result).value();
  EXPECT_EQ(records[3].status, "error");
  EXPECT_THAT(records[3].error_message.value(), testing::HasSubstr("onednn does not run it"));
  EXPECT_FALSE(records[3].labels->contains("verdict"));
}

TEST(CompareRecords, HoldNothingThatWasCancelled) {
  CompareResult result = example();
  result.comparisons.erase(result.comparisons.begin());
  std::vector<CompareUnit>& units = result.comparisons[0].units;
  CompareUnit cancelled = unit_named("add", 1, 1);
  cancelled.base.reset();
  cancelled.candidate.reset();
  cancelled.is_cancelled = true;
  units.insert(units.begin(), cancelled);
  const std::vector<BenchmarkRecord> records = records_of(result).value();
  std::vector<std::string> what;
  for (const BenchmarkRecord& record : records)
    what.push_back(record.workload + " " + record.status);
  EXPECT_THAT(what, testing::ElementsAre("tiny ok", "opbench.relu 1x8 ok", "tiny ok",
                                         "opbench.relu 1x8 ok"));
  EXPECT_EQ(records[3].labels->at("verdict"), "slower");
  EXPECT_EQ(records[3].metrics->at("ratio"), 1.5);
}

TEST(CompareRecords, NeedAnEnvironment) {
  CompareResult result = example();
  result.environment = {};
  EXPECT_EQ(records_of(result).error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace opbench
