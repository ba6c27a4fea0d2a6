#include "records/formats/benchmark/benchmark_v01.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "base/files/file.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr int64_t kNow = 1'795'000'000'000'000;  // November 2026

/// As the sample of form D, with what its table adds.
Json form_d() {
  return Json::parse(R"({"workload": "ai.onnx.resnet-18", "engine": "tvm", "hardware": "gcp-c2",
    "runtime_ms_mean": 12.5, "timestamp": 1572282699.6, "schema_version": "0.1",
    "metadata": {"docker_tag": "t"}, "engine_version": "1.0.5"})");
}

/// As the table of form B.
Json form_b() {
  return Json::parse(R"({"timestamp": 1572282699.6, "schema_version": 0.1,
    "additional_info": {"docker_tag": "t", "docker_hash": "h", "build_start": "b",
                        "device_memory_usage": 7, "compile_time": 1.5},
    "workload": "ai.onnx.resnet-18",
    "workload_args": {"input_shape": [3, 224, 224], "args_shape": [[64, 3, 7, 7], [64]],
                      "data_layout": "NCHW"},
    "engine": "onnx-runtime", "engine_version": "0.5.0:996cf30e8d54b4bf58f0c9950475f47bba7e2c7e",
    "engine_config": {"llvm": "llvm-8", "nvcc": 10.1, "accelerator": "MLAS"},
    "target": "llvm -mcpu=skylake-avx512",
    "build_config": {"opt_level": 3, "layer_schedules": []},
    "env_name": "aws.a1.large", "hw_model": "Intel Xeon E5-2686 v4",
    "runtime_config": {"num_cpu_threads": 3, "cudnn": "cudnn-8", "cuda_driver": "480.10.1",
                       "os": "linux"},
    "execution_config": {"number": 1, "repeat": 10, "min_repeat_ms": 0},
    "execution_elapsed_ms_mean": 12.25, "execution_elapsed_ms_std": 0.5})");
}

DecodedBenchmark decode_benchmark_v01(const Json& json, bool strict = false) {
  return decode_benchmark(json.dump(), {.now_us = kNow, .strict = strict});
}

std::vector<std::string> benchmark_v01_codes(const DecodedBenchmark& decoded) {
  std::vector<std::string> result;
  for (const RecordIssue& issue : decoded.issues) result.push_back(issue.code);
  return result;
}

Json benchmark_v01_json_of(const std::optional<JsonText>& text) {
  return text ? Json::parse(text->text) : Json();
}

/// For comparisons in which neither the order of keys counts nor how a number is written.
nlohmann::json benchmark_v01_by_value(const Json& json) { return json; }

TEST(BenchmarkV01, ReadsAFileOfFormD) {
  const auto sample =
      read_file(std::filesystem::path(OPBENCH_TEST_FIXTURES) / "records/form_d.json");
  ASSERT_TRUE(sample);
  const DecodedBenchmark decoded = decode_benchmark(*sample, {.now_us = kNow});
  EXPECT_THAT(benchmark_v01_codes(decoded), UnorderedElementsAre("W_NO_DOMAIN", "W_TZ_ASSUMED"));
  ASSERT_TRUE(decoded.record);
  const BenchmarkRecord& record = *decoded.record;
  EXPECT_EQ(record.workload, "segmenter_small");
  std::vector<RecordIssue> ignored;
  EXPECT_EQ(parse_workload_name(record.workload, ignored).domain, "");
  EXPECT_EQ(parse_engine_version(*record.engine_version, ignored).semver, "2.1.0");
  EXPECT_EQ(record.hardware, "lab-node-8");
  EXPECT_EQ(record.runtime_ms_mean, 41.375);
  EXPECT_EQ(record.runtime_ms_std, 0.0625);
  EXPECT_EQ(record.timestamp, "2020-02-29T23:59:58Z");
  EXPECT_EQ(record.inputs->text, R"([{"dtype":"float32","name":"image","shape":[1,3,96,64]}])");
  EXPECT_EQ(benchmark_v01_json_of(record.compilation_config)["opt_level"], 2);
  EXPECT_EQ(benchmark_v01_json_of(record.metadata)["docker_tag"], "lab/tvm:7");
  EXPECT_EQ(benchmark_v01_json_of(record.workload_metadata)["opset"], 11);
  EXPECT_EQ(record.source_form, "D");

  // And back, to the value, in its own form.
  const Json back = downgrade_benchmark(record, BenchmarkForm::kD).value();
  EXPECT_EQ(benchmark_v01_by_value(back), benchmark_v01_by_value(Json::parse(*sample)));
}

TEST(BenchmarkV01, ReadsFormB) {
  const DecodedBenchmark decoded = decode_benchmark_v01(form_b());
  EXPECT_THAT(benchmark_v01_codes(decoded), IsEmpty());
  ASSERT_TRUE(decoded.record);
  const BenchmarkRecord& record = *decoded.record;
  EXPECT_EQ(record.hardware, "aws.a1.large");
  EXPECT_EQ(record.hw_model, "Intel Xeon E5-2686 v4");
  EXPECT_EQ(record.engine, "onnxruntime");
  EXPECT_EQ(record.target, "llvm -mcpu=skylake-avx512");
  EXPECT_EQ(record.timestamp, "2019-10-28T17:11:39.6Z");
  EXPECT_EQ(record.runtime_ms_mean, 12.25);
  EXPECT_EQ(record.runtime_ms_std, 0.5);
  EXPECT_EQ(*record.metrics,
            (std::map<std::string, double>{{"compile_time", 1.5}, {"device_memory_usage", 7}}));
  EXPECT_EQ(record.metadata->text, R"({"build_start":"b","docker_hash":"h","docker_tag":"t"})");
  EXPECT_EQ(record.software_config->text,
            R"({"cuda_driver":"480.10.1","cudnn":"cudnn-8","os":"linux"})");
  EXPECT_EQ(record.runtime_config->text, R"({"num_cpu_threads":3})");
  EXPECT_EQ(record.compilation_config->text, R"({"layer_schedules":[],"opt_level":3})");
  EXPECT_EQ(record.inputs->text,
            R"([{"layout":"NCHW","name":"input0","shape":[3,224,224]},)"
            R"({"name":"input1","shape":[64,3,7,7]},{"name":"input2","shape":[64]}])");
  EXPECT_EQ(record.scope, "model");
  EXPECT_EQ(record.source_form, "B");
  EXPECT_EQ(benchmark_v01_by_value(downgrade_benchmark(record, BenchmarkForm::kB).value()),
            benchmark_v01_by_value(form_b()));
}

TEST(BenchmarkV01, NamesEveryFaultByItsCodeAndField) {
  const std::vector<std::tuple<Json, const char*, Json, const char*>> cases = {
      {form_d(), "schema_version", nullptr, "W_NO_VERSION"},
      {form_d(), "schema_version", "0.3", "E_SCHEMA_VERSION"},
      {form_d(), "env_name", "rapi3b", "E_MIXED_FORM"},
      {form_d(), "timestamp", "yesterday", "E_TIMESTAMP"},
      {form_d(), "timestamp", true, "E_TIMESTAMP"},
      {form_d(), "timestamp", "2019-11-23T00:34:11", "W_TZ_ASSUMED"},
      {form_d(), "timestamp", 20191123003411, "W_TZ_ASSUMED"},
      {form_d(), "timestamp", 1000000000, "E_TIMESTAMP_RANGE"},
      {form_d(), "timestamp", -5, "E_TIMESTAMP_RANGE"},
      {form_d(), "timestamp", 2000000000, "E_TIMESTAMP_RANGE"},
      {form_d(), "workload", "", "E_WORKLOAD"},
      {form_d(), "workload", "relay", "E_DOMAIN_RESERVED"},
      {form_d(), "workload", "topi.conv2d:123", "E_WORKLOAD_SHA"},
      {form_d(), "workload", "resnet-18", "W_NO_DOMAIN"},
      {form_d(), "workload", "a.b:c", "W_COLON"},
      {form_d(), "workload", 18, "E_TYPE"},
      {form_d(), "workload_args", "none", "E_TYPE"},
      {form_d(), "workload_args", Json::parse(R"({"input_shape": [1, "n"]})"), "E_SHAPE"},
      {form_d(), "workload_args",
       Json::parse(R"({"input_shape_dict": {"x": [1]}, "input_type_dict": {"x": "f32"}})"),
       "E_DTYPE"},
      {form_d(), "workload_metadata", Json::parse(R"({"md5": "07fc7"})"), "W_MD5"},
      {form_d(), "engine", "my engine", "E_ENGINE"},
      {form_d(), "engine_version", "0.5", "W_NOT_SEMVER"},
      {form_d(), "engine_version", "0.5.0:xyz", "E_ENGINE_SHA"},
      {form_d(), "engine_config", Json::parse(R"({"tvm_target": "sparc9000"})"), "W_TARGET"},
      {form_d(), "compilation_config", Json::parse(R"({"opt_level": 3, "relay_opt_level": 2})"),
       "E_CONFLICT"},
      {form_d(), "hardware", "", "E_MISSING"},
      {form_d(), "runtime_ms_mean", nullptr, "E_MISSING"},
      {form_d(), "runtime_ms_mean", "12", "E_TYPE"},
      {form_d(), "runtime_ms_mean", -1, "E_NEGATIVE"},
      {form_d(), "execution_config", Json::parse(R"({"number": "one"})"), "E_EXEC"},
      {form_d(), "runtime_config", Json::parse(R"({"num_cpu_threads": 0})"), "E_RANGE"},
      {form_d(), "runtime_raw", Json::parse(R"([{"time": 1}])"), "E_RAW"},
      {form_d(), "metrics", 5, "E_TYPE"},
      {form_d(), "colour", "red", "W_UNKNOWN_KEY"},
      {form_b(), "additional_info", Json::parse(R"({"docker_tag": "t"})"), "W_DOCKER"},
      {form_b(), "additional_info", "none", "E_TYPE"},
      {form_b(), "env_name", nullptr, "E_MISSING"},
      {form_b(), "execution_elapsed_ms_mean", 0, "E_NEGATIVE"},
      {form_b(), "engine_config", Json::parse(R"({"tvm_target": "cuda"})"), "E_CONFLICT"},
      {form_b(), "hw_model", 5, "E_TYPE"}};
  for (const auto& [base, field, value, code] : cases) {
    Json record = base;
    record[field] = value;
    const DecodedBenchmark decoded = decode_benchmark_v01(record);
    ASSERT_THAT(benchmark_v01_codes(decoded), ElementsAre(code)) << field << " = " << value.dump();
    const RecordIssue& issue = decoded.issues.front();
    EXPECT_EQ(issue.field, field);
    EXPECT_EQ(decoded.record.has_value(), !issue.is_error());
    // The column is that of the value.
    const std::string text = record.dump();
    EXPECT_EQ(text.substr(static_cast<size_t>(issue.column) - 1, value.dump().size()),
              value.dump());
    EXPECT_EQ(issue.line, 1);
  }
}

TEST(BenchmarkV01, WantsWhatIsRequired) {
  for (const char* field : {"workload", "engine", "hardware", "runtime_ms_mean", "timestamp"}) {
    Json record = form_d();
    record.erase(field);
    const DecodedBenchmark decoded = decode_benchmark_v01(record);
    ASSERT_THAT(benchmark_v01_codes(decoded), ElementsAre("E_MISSING")) << field;
    EXPECT_EQ(decoded.issues.front().field, field);
  }
}

TEST(BenchmarkV01, TakesTheOddFormsOfDrafts) {
  Json record = form_d();
  record["engine_version"] = "996cf30e8d54b4bf58f0c9950475f47bba7e2c7e";
  record.erase("hardware");
  record["hardware_config"] = "16 cores";
  record["engine_config"] = {{"relay_opt_lvl", 2}, {"tvm_target", "llvm"}};
  record["metrics"] = {{"accuracy", 48.5}, {"note", "good"}};
  const DecodedBenchmark decoded = decode_benchmark_v01(record);
  EXPECT_THAT(benchmark_v01_codes(decoded), IsEmpty());
  EXPECT_EQ(decoded.record->hardware, "16 cores");
  EXPECT_EQ(decoded.record->target, "llvm");
  EXPECT_EQ(benchmark_v01_json_of(decoded.record->compilation_config)["opt_level"], 2);
  EXPECT_EQ(*decoded.record->metrics, (std::map<std::string, double>{{"accuracy", 48.5}}));
  EXPECT_EQ(benchmark_v01_json_of(decoded.record->metadata)["metrics"]["note"], "good");
}

TEST(BenchmarkV01, ReadsTheTwoFurtherWaysToGiveInputs) {
  Json record = form_d();
  record["workload_args"] = {
      {"input_name", "Input3"}, {"input_shape", {1, 3, 64, 64}}, {"data_layout", "NHWC"}};
  EXPECT_EQ(decode_benchmark_v01(record).record->inputs->text,
            R"([{"layout":"NHWC","name":"Input3","shape":[1,3,64,64]}])");
  record["workload_args"] = {{"input_name", {"a", "b"}}, {"input_shape", {{1, 3}, {4}}}};
  EXPECT_EQ(decode_benchmark_v01(record).record->inputs->text,
            R"([{"name":"a","shape":[1,3]},{"name":"b","shape":[4]}])");
}

TEST(BenchmarkV01, ComparesRawTimesWithTheirMeanAndDeviation) {
  Json record = form_d();
  record["runtime_ms_mean"] = 2;
  record["runtime_raw"] =
      Json::parse(R"([{"runtime_ms": 1, "cpu": 3}, {"runtime_ms": 2}, {"runtime_ms": 3}])");
  const auto with_std = [&](double std) {
    record["runtime_ms_std"] = std;
    return decode_benchmark_v01(record);
  };
  EXPECT_EQ(with_std(1).record->std_ddof, 1);
  EXPECT_EQ(with_std(0.816496580927726).record->std_ddof, 0);
  EXPECT_THAT(benchmark_v01_codes(with_std(0.9)), ElementsAre("W_STD_MISMATCH"));
  EXPECT_EQ(with_std(0.9).issues.front().field, "runtime_ms_std");
  EXPECT_EQ(with_std(0.9).record->std_ddof, std::nullopt);
  EXPECT_EQ(with_std(1).record->n_samples, 3);
  EXPECT_EQ(with_std(1).record->runtime_raw->text, R"([{"cpu":3},{},{}])");
  record["runtime_ms_mean"] = 2.001;
  EXPECT_THAT(benchmark_v01_codes(with_std(1)), ElementsAre("W_MEAN_MISMATCH"));
  EXPECT_EQ(with_std(1).issues.front().field, "runtime_ms_mean");
  record.erase("runtime_ms_mean");
  EXPECT_EQ(with_std(1).record->runtime_ms_mean, 2);
  const Json back = downgrade_benchmark(*with_std(1).record, BenchmarkForm::kD).value();
  EXPECT_EQ(canonical_text(back["runtime_raw"]),
            R"([{"cpu":3,"runtime_ms":1.0},{"runtime_ms":2.0},{"runtime_ms":3.0}])");
}

TEST(BenchmarkV01, LetsFormDWinWhereBothAreThere) {
  Json record = form_d();
  record["env_name"] = "other";
  record["build_config"] = {{"opt_level", 1}};
  record["execution_elapsed_ms_std"] = 0.25;
  const DecodedBenchmark decoded = decode_benchmark_v01(record);
  EXPECT_THAT(benchmark_v01_codes(decoded), ElementsAre("E_MIXED_FORM"));
  EXPECT_THAT(decoded.issues.front().message,
              HasSubstr("B (env_name, build_config, execution_elapsed_ms_std) beside keys of D"));
  ASSERT_TRUE(decoded.record);
  EXPECT_EQ(decoded.record->hardware, "gcp-c2");
  EXPECT_EQ(decoded.record->runtime_ms_std, 0.25);
  EXPECT_EQ(decoded.record->compilation_config->text, R"({"opt_level":1})");
  EXPECT_FALSE(decode_benchmark_v01(record, true).record);
}

TEST(BenchmarkV01, IsStricterOnRequest) {
  Json record = form_b();
  record["additional_info"].erase("docker_hash");
  record["colour"] = "red";
  EXPECT_THAT(benchmark_v01_codes(decode_benchmark_v01(record)),
              ElementsAre("W_DOCKER", "W_UNKNOWN_KEY"));
  EXPECT_THAT(benchmark_v01_codes(decode_benchmark_v01(record, true)),
              ElementsAre("E_DOCKER", "E_UNKNOWN_KEY"));
  EXPECT_EQ(decode_benchmark_v01(record).record->extras.text, R"({"colour":"red"})");
}

TEST(BenchmarkV01, RefusesToWriteAFailure) {
  BenchmarkRecord record = *decode_benchmark_v01(form_d()).record;
  record.status = "error";
  const auto old = downgrade_benchmark(record, BenchmarkForm::kB);
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().message, HasSubstr("no form in benchmark schema 0.1"));
}

}  // namespace
}  // namespace opbench
