#include "records/record/record_validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace opbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

Json valid() {
  return Json::parse(R"({
    "schema_version": "0.2", "timestamp": "2026-11-21T09:00:00Z", "status": "ok",
    "workload": "ai.onnx.resnet-18", "engine": "halide", "engine_version": "0.1.0",
    "hardware": "cpu", "runtime_ms_mean": 12.5, "scope": "model", "source_form": "0.2"})");
}

std::vector<std::string> record_validation_codes(const Json& record,
                                                 const ValidationOptions& options = {}) {
  std::vector<std::string> result;
  for (const RecordIssue& issue : validate_record(record, options)) result.push_back(issue.code);
  return result;
}

std::vector<std::string> codes_with(const std::string& field, Json value) {
  Json record = valid();
  record[field] = std::move(value);
  return record_validation_codes(record);
}

TEST(RecordValidation, FindsNoFaultInAGoodRecord) {
  EXPECT_THAT(record_validation_codes(valid()), IsEmpty());
  EXPECT_FALSE(has_errors({}));
}

TEST(RecordValidation, NamesEveryBadValueByItsCode) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::tuple<const char*, Json, const char*>> cases = {
      {"schema_version", "0.3", "E_SCHEMA_VERSION"},
      {"schema_version", 0.2, "E_SCHEMA_VERSION"},
      {"record_id", "abc", "E_RECORD_ID"},
      {"timestamp", "yesterday", "E_TIMESTAMP"},
      {"timestamp", "1999-01-01T00:00:00Z", "E_TIMESTAMP_RANGE"},
      {"timestamp", "2026-11-21T09:00:00", "W_TZ_ASSUMED"},
      {"status", "fine", "E_STATUS"},
      {"error_no", 9, "E_ERRNO"},
      {"error_no", 4, "E_STATUS_MISMATCH"},
      {"workload", "a\nb", "E_WORKLOAD"},
      {"workload", "topi", "E_DOMAIN_RESERVED"},
      {"workload", "topi.conv2d:xyz", "E_WORKLOAD_SHA"},
      {"workload", "resnet-18", "W_NO_DOMAIN"},
      {"inputs", 3, "E_TYPE"},
      {"inputs", Json::parse(R"([{"name": "x", "shape": [-1]}])"), "E_SHAPE"},
      {"inputs", Json::parse(R"([{"shape": [1], "dtype": "f32"}])"), "E_DTYPE"},
      {"workload_args", 1, "E_TYPE"},
      {"workload_metadata", Json::parse(R"({"md5": "12"})"), "W_MD5"},
      {"engine", "my engine", "E_ENGINE"},
      {"engine_version", "1.0.0:zzz", "E_ENGINE_SHA"},
      {"engine_version", "0.5", "W_NOT_SEMVER"},
      {"hardware_config", "c5.large", "E_TYPE"},
      {"runtime_config", Json::parse(R"({"num_cpu_threads": 0})"), "E_RANGE"},
      {"target", "sparc9000", "W_TARGET"},
      {"hardware", "", "E_MISSING"},
      {"hw_model", 5, "E_TYPE"},
      {"execution_config", "fast", "E_EXEC"},
      {"execution_config", Json::parse(R"({"number": "ten"})"), "E_EXEC"},
      {"execution_config", Json::parse(R"({"repeat": 0})"), "E_RANGE"},
      {"runtime_ms_mean", nullptr, "E_MISSING"},
      {"runtime_ms_mean", "12", "E_TYPE"},
      {"runtime_ms_mean", nan, "E_NONFINITE"},
      {"runtime_ms_mean", 0, "E_NEGATIVE"},
      {"runtime_ms_std", -1, "E_NEGATIVE"},
      {"runtime_ms_low", -2, "E_NEGATIVE"},
      {"std_ddof", 2, "E_RANGE"},
      {"count", uint64_t{1} << 63, "E_RANGE"},
      {"seed", uint64_t{1} << 63, "E_RANGE"},
      {"n_samples", UINT64_MAX, "E_COUNT"},
      {"execution_config", Json::parse(R"({"number": 9223372036854775808})"), "E_RANGE"},
      {"samples_dropped", Json::parse(R"({"a": 9223372036854775808})"), "E_RANGE"},
      {"samples_dropped", Json::parse(R"({"a": -1})"), "E_RANGE"},
      {"samples_dropped", Json::parse(R"({"a": 1.5})"), "E_TYPE"},
      {"n_samples", 0, "E_COUNT"},
      {"runtime_raw_ms", Json::parse("[1, 0]"), "E_RAW"},
      {"runtime_raw", Json::parse("[1]"), "E_RAW"},
      {"metrics", Json::parse(R"({"accuracy": "high"})"), "E_METRIC"},
      {"metrics", 1, "E_TYPE"},
      {"scope", "node", "E_TYPE"},
      {"nodes", "conv", "E_TYPE"},
      {"argv", Json::parse("[1]"), "E_TYPE"},
      {"count", 1.5, "E_TYPE"},
      {"steady", "yes", "E_TYPE"},
      {"check", true, "E_TYPE"},
      {"machine_hash", 5, "E_TYPE"},
      {"colour", "red", "W_UNKNOWN_KEY"}};
  for (const auto& [field, value, code] : cases) {
    EXPECT_THAT(codes_with(field, value), ElementsAre(code)) << field << " = " << value.dump();
  }
}

TEST(RecordValidation, HasNothingToSayOfOurOwnNames) {
  Json record = valid();
  record["workload"] = "opbench.conv2d 1x16x14x14 w:32x16x3x3 pads=1,1,1,1; relu";
  EXPECT_THAT(record_validation_codes(record), IsEmpty());
  record["engine"] = "onnxruntime";
  record["workload"] = "onnxruntime.Conv x:1x16x14x14";
  EXPECT_THAT(record_validation_codes(record), IsEmpty());
  record["scope"] = "model";
  record["workload"] = record["model"] = "squeezenet";
  EXPECT_THAT(record_validation_codes(record), IsEmpty());
  record["model"] = "other";
  EXPECT_THAT(record_validation_codes(record), ElementsAre("W_NO_DOMAIN"));
}

TEST(RecordValidation, WantsWhatIsRequired) {
  for (const char* field :
       {"timestamp", "workload", "engine", "hardware", "scope", "source_form", "runtime_ms_mean"}) {
    Json record = valid();
    record.erase(field);
    EXPECT_THAT(record_validation_codes(record), ElementsAre("E_MISSING")) << field;
  }
  EXPECT_THAT(record_validation_codes(Json::parse("[]")), ElementsAre("E_TYPE"));
}

TEST(RecordValidation, KeepsTimesAndErrorsApart) {
  Json record = valid();
  record["status"] = "error";
  EXPECT_THAT(record_validation_codes(record),
              ElementsAre("E_STATUS_MISMATCH", "E_STATUS_MISMATCH", "E_MISSING"));
  record["error_no"] = 4;
  record["error_message"] = "run_error: killed";
  record.erase("runtime_ms_mean");
  EXPECT_THAT(record_validation_codes(record), IsEmpty());
  record["status"] = "ok";
  record["runtime_ms_mean"] = 1;
  EXPECT_THAT(record_validation_codes(record), ElementsAre("E_STATUS_MISMATCH"));
}

TEST(RecordValidation, ComparesTheNumberOfSamplesWithTheSamples) {
  Json record = valid();
  record["runtime_raw_ms"] = {1.0, 2.0};
  record["n_samples"] = 3;
  EXPECT_THAT(record_validation_codes(record), ElementsAre("E_COUNT"));
  record["n_samples"] = 2;
  EXPECT_THAT(record_validation_codes(record), IsEmpty());
}

TEST(RecordValidation, KnowsTheFutureAndStrictness) {
  constexpr int64_t kYear2020 = 1'577'836'800'000'000;
  EXPECT_THAT(record_validation_codes(valid(), {.now_us = kYear2020}),
              ElementsAre("E_TIMESTAMP_RANGE"));
  Json record = valid();
  record["colour"] = "red";
  EXPECT_THAT(record_validation_codes(record, {.strict = true}), ElementsAre("E_UNKNOWN_KEY"));
  EXPECT_FALSE(has_errors(validate_record(record)));
  EXPECT_TRUE(has_errors(validate_record(record, {.strict = true})));
}

TEST(RecordValidation, SaysWhatItGot) {
  Json record = valid();
  record["schema_version"] = "0.7";
  EXPECT_EQ(validate_record(record).front().message, "got \"0.7\", can read 0.1, 0.2");
}

TEST(RecordGrammar, SplitsWorkloadNames) {
  const auto split = [](const char* text) {
    std::vector<RecordIssue> issues;
    const WorkloadName name = parse_workload_name(text, issues);
    return std::vector<std::string>{name.domain, name.name, name.sha};
  };
  EXPECT_THAT(split("ai.onnx.resnet-18"), ElementsAre("ai.onnx", "resnet-18", ""));
  EXPECT_THAT(split("onnx.mobilenetv2-1.0"), ElementsAre("onnx", "mobilenetv2-1.0", ""));
  EXPECT_THAT(split("relay.nn.conv2d"), ElementsAre("relay", "nn.conv2d", ""));
  EXPECT_THAT(split("topi.conv2d:0123abc"), ElementsAre("topi", "conv2d", "0123abc"));
  EXPECT_THAT(split("resnet-18"), ElementsAre("", "resnet-18", ""));
  EXPECT_THAT(split("opbench.conv2d 1x3 w:4x3"), ElementsAre("opbench", "conv2d 1x3 w:4x3", ""));
  std::vector<RecordIssue> issues;
  parse_workload_name("Relay.conv2d", issues);
  EXPECT_EQ(issues.front().code, "E_DOMAIN_RESERVED");
}

TEST(RecordGrammar, SplitsEngineVersions) {
  const auto split = [](const char* text) {
    std::vector<RecordIssue> issues;
    const EngineVersion version = parse_engine_version(text, issues);
    return version.semver + "|" + version.sha + "|" + (issues.empty() ? "" : issues[0].code);
  };
  EXPECT_EQ(split("1.0.0"), "1.0.0||");
  EXPECT_EQ(split("0.5.0:996cf30"), "0.5.0|996cf30|");
  EXPECT_EQ(split("996cf30e8d54b4bf58f0c9950475f47bba7e2c7e"),
            "|996cf30e8d54b4bf58f0c9950475f47bba7e2c7e|");
  EXPECT_EQ(split("1234567"), "||W_NOT_SEMVER");
  EXPECT_EQ(split("0.8.dev94+g0d07a329e"), "|0d07a329e|W_NOT_SEMVER");
  EXPECT_EQ(split("0.5:xyz"), "|xyz|E_ENGINE_SHA");
}

TEST(RecordGrammar, ReadsTimestampsOfEveryForm) {
  const auto read = [](const char* text) {
    std::vector<RecordIssue> issues;
    return parse_timestamp(text, std::numeric_limits<int64_t>::max() / 2, issues).value_or(-1);
  };
  constexpr int64_t kMoment = 1'574'469'251'000'000;
  EXPECT_EQ(read("20191123003411"), kMoment - 0);
  EXPECT_EQ(read("2019-11-23T00:34:11Z"), kMoment);
  EXPECT_EQ(read("2019-11-23T01:34:11+01:00"), kMoment);
  EXPECT_EQ(read("2019-11-22 23:04:11.5-0130"), kMoment + 500'000);
  EXPECT_EQ(read("1574469251"), kMoment);
  EXPECT_EQ(read("1574469251000"), kMoment);
  EXPECT_EQ(read("2019-13-01T00:00:00Z"), -1);
  EXPECT_EQ(read(""), -1);
}

TEST(RecordGrammar, KnowsElementTypes) {
  for (const char* text : {"float32", "int8x4", "bool", "handle", "bfloat16", "custom[posit]16"}) {
    EXPECT_TRUE(is_dtype(text)) << text;
  }
  for (const char* text : {"f32", "float", "", "int8x"}) EXPECT_FALSE(is_dtype(text)) << text;
}

}  // namespace
}  // namespace opbench
