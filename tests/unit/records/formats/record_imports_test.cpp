#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "base/files/file.h"
#include "records/formats/codec.h"
#include "records/record/record_validation.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::Pointwise;
using testing::SizeIs;

const std::string kRecordImportsFixtures = std::string(OPBENCH_TEST_FIXTURES) + "/records/";

struct Imported {
  std::string format;
  std::vector<BenchmarkRecord> records;
  std::vector<std::string> codes;
};

Imported import_file(const std::string& path) {
  Imported result;
  const auto file = open_records(path);
  EXPECT_TRUE(file) << to_text(file.error());
  if (!file) return result;
  result.format = file->codec->name;
  while (true) {
    const auto item = file->reader->next();
    EXPECT_TRUE(item);
    if (!item || !*item) return result;
    for (const RecordIssue& issue : (*item)->issues) result.codes.push_back(issue.code);
    if (!(*item)->record) continue;
    result.records.push_back(std::get<BenchmarkRecord>(*(*item)->record));
    EXPECT_FALSE(has_errors(validate_record(to_json(result.records.back()))));
  }
}

Imported import_text(const std::string& text) {
  const auto folder = TemporaryFolder::make();
  const auto path = folder->path() / "file.json";
  EXPECT_TRUE(write_file(path, text));
  return import_file(path.string());
}

Json record_imports_json_of(const std::optional<JsonText>& text) {
  return text ? Json::parse(text->text) : Json();
}

TEST(RecordImports, HyperfineResultsAreRecordsInMilliseconds) {
  const Imported file = import_file(kRecordImportsFixtures + "hyperfine.json");
  EXPECT_EQ(file.format, "hyperfine");
  EXPECT_THAT(file.codes, testing::UnorderedElementsAre("W_TIMESTAMP", "W_HARDWARE"));
  ASSERT_THAT(file.records, SizeIs(4));
  const BenchmarkRecord& sleep = file.records[0];
  EXPECT_EQ(sleep.workload, "hyperfine.sleep 0.01");
  EXPECT_EQ(sleep.reproducer, "sleep 0.01");
  EXPECT_THAT(*sleep.runtime_raw_ms,
              Pointwise(testing::DoubleEq(), {11.9, 12.2, 12.4, 12.0, 12.0}));
  EXPECT_NEAR(*sleep.runtime_ms_mean, 12.1, 1e-12);
  EXPECT_EQ(sleep.runtime_ms_median, 12.0);
  EXPECT_EQ(sleep.n_samples, 5);
  EXPECT_EQ(sleep.std_ddof, 1);
  EXPECT_EQ(sleep.metrics->at("system_time_ms"), 1.6);

  const BenchmarkRecord& make = file.records[1];
  EXPECT_THAT(*make.runtime_raw_ms, ElementsAre(1000, 2000));
  EXPECT_EQ(make.samples_dropped->at("exit_code"), 1);
  EXPECT_EQ(make.workload_args->text, R"({"n":"2"})");

  EXPECT_EQ(file.records[2].status, "error");
  EXPECT_EQ(file.records[2].error_message, "all 2 runs ended with an exit code");
  EXPECT_EQ(file.records[3].runtime_ms_mean, 2.0);
  EXPECT_EQ(file.records[3].runtime_raw_ms, std::nullopt);
}

TEST(RecordImports, GoogleBenchmarkRepetitionsAreSamplesOfOneRecord) {
  const Imported file = import_file(kRecordImportsFixtures + "google_benchmark.json");
  EXPECT_EQ(file.format, "google-benchmark");
  ASSERT_THAT(file.records, SizeIs(5));
  const BenchmarkRecord& copy = file.records[0];
  EXPECT_EQ(copy.workload, "kernels.BM_Copy/8/repeats:3");
  EXPECT_EQ(copy.timestamp, "2026-11-21T18:34:42Z");
  EXPECT_EQ(copy.hardware, "bench-host");
  EXPECT_THAT(*copy.runtime_raw_ms, SizeIs(3));
  EXPECT_NEAR(copy.runtime_raw_ms->front(), 5.4884796267964794e-06, 1e-18);
  EXPECT_EQ(copy.n_samples, 3);
  EXPECT_EQ(record_imports_json_of(copy.runtime_config)["num_cpu_threads"], 1);
  EXPECT_EQ(record_imports_json_of(copy.execution_config)["number"], 2568580);
  EXPECT_EQ(record_imports_json_of(copy.execution_config)["repeat"], 3);
  EXPECT_GT(copy.metrics->at("bytes_per_second"), 1e9);
  EXPECT_EQ(record_imports_json_of(copy.hardware_config)["cpu_count"], 2);
  EXPECT_EQ(record_imports_json_of(copy.metadata)["executable"], "./bin/kernels");

  EXPECT_EQ(file.records[1].workload, "kernels.BM_Bad");
  EXPECT_EQ(file.records[1].status, "error");
  EXPECT_EQ(file.records[1].error_message, "no device");
  EXPECT_EQ(record_imports_json_of(file.records[4].runtime_config)["num_cpu_threads"], 2);
}

TEST(RecordImports, GoogleBenchmarkAggregatesAloneAreRead) {
  const Imported file = import_file(kRecordImportsFixtures + "google_benchmark_aggregates.json");
  ASSERT_THAT(file.records, SizeIs(1));
  EXPECT_GT(file.records[0].runtime_ms_mean, 0);
  EXPECT_GT(file.records[0].runtime_ms_std, 0);
  EXPECT_GT(file.records[0].runtime_ms_median, 0);
  EXPECT_EQ(file.records[0].std_ddof, 1);
}

TEST(RecordImports, OnnxRuntimeNodesAndRunsAreRecords) {
  const Imported file =
      import_file(kRecordImportsFixtures + "onnxruntime_profile__2026-11-21_19-06-54.json");
  EXPECT_EQ(file.format, "onnxruntime-profile");
  EXPECT_THAT(file.codes, testing::UnorderedElementsAre("W_TZ_ASSUMED", "W_HARDWARE"));
  ASSERT_THAT(file.records, SizeIs(4));
  const BenchmarkRecord& node = file.records[0];
  EXPECT_EQ(node.workload, "onnxruntime.Conv 1x3x224x224, 64x3x3x3, 64");
  EXPECT_THAT(*node.nodes, ElementsAre("r1_nchwc"));
  EXPECT_EQ(node.timestamp, "2026-11-21T19:06:54Z");
  EXPECT_THAT(*node.runtime_raw_ms, SizeIs(3));
  EXPECT_EQ(node.runtime_raw_ms->front(), 1.127);
  EXPECT_EQ(node.runtime_ms_in_place, node.runtime_ms_median);
  EXPECT_EQ(node.inputs->text, R"([{"dtype":"float32","name":"input0","shape":[1,3,224,224]},)"
                               R"({"dtype":"float32","name":"input1","shape":[64,3,3,3]},)"
                               R"({"dtype":"float32","name":"input2","shape":[64]}])");
  EXPECT_EQ(record_imports_json_of(node.engine_config)["provider"], "CPUExecutionProvider");
  const BenchmarkRecord& model = file.records[3];
  EXPECT_EQ(model.scope, "model");
  EXPECT_EQ(model.workload, "onnxruntime.model_run");
  EXPECT_THAT(*model.runtime_raw_ms, SizeIs(3));
  EXPECT_EQ(model.metrics->at("session_initialization_ms"), 45.438);
}

TEST(RecordImports, TimesBelowTheProfilersClockLeaveNoRawTimes) {
  const auto event = [](const char* node, int duration) {
    return R"({"cat":"Node","ph":"X","ts":1,"dur":)" + std::to_string(duration) + R"(,"name":")" +
           node + R"(_kernel_time","args":{"op_name":"Relu"}})";
  };
  const Imported file =
      import_text("[" + event("a", 0) + "," + event("a", 3) + "," + event("b", 0) + "]");
  ASSERT_THAT(file.records, SizeIs(2));
  EXPECT_EQ(file.records[0].runtime_ms_mean, 0.0015);
  EXPECT_EQ(file.records[0].runtime_raw_ms, std::nullopt);
  EXPECT_EQ(file.records[0].n_samples, 2);
  EXPECT_EQ(file.records[1].status, "error");
}

TEST(RecordImports, BadValuesAreIssuesAndTheRestIsRead) {
  const std::string good = R"({"command": "true", "times": [0.5]})";
  Imported file = import_text(R"({"results": [)" + good + R"(, {"times": [1]}, {"command": x}, )" +
                              good + "]}");
  EXPECT_THAT(file.records, SizeIs(2));
  EXPECT_THAT(file.codes, testing::IsSupersetOf({"E_MISSING", "E_JSON"}));
  file = import_text(R"({"results": [)" + good + R"(, {"comm)");
  EXPECT_THAT(file.records, SizeIs(1));
  EXPECT_THAT(file.codes, testing::Contains("E_TORN"));
  file = import_text(R"({"context": {}, "benchmarks": [{"name": "a", "real_time": 1,
      "time_unit": "years"}, {"name": "b"}, {"name": "c", "real_time": 2}]})");
  EXPECT_THAT(file.records, SizeIs(1));
  EXPECT_THAT(file.codes, testing::IsSupersetOf({"E_TYPE", "E_MISSING"}));
}

TEST(RecordImports, ManyRecordsUnderWayAreGivenOutInTheirOrder) {
  std::string text = R"({"context": {"host_name": "h", "date": "2026-11-21T19:34:42+01:00"},
                         "benchmarks": [)";
  for (int i = 0; i < 12'000; ++i) {
    text += (i > 0 ? "," : "") + std::string(R"({"name": "b)") + std::to_string(i) +
            R"(", "real_time": 1.5})";
  }
  const Imported file = import_text(text + "]}");
  ASSERT_THAT(file.records, SizeIs(12'000));
  EXPECT_EQ(file.records[0].workload, "b0");
  EXPECT_EQ(file.records[11'999].workload, "b11999");
}

}  // namespace
}  // namespace opbench
