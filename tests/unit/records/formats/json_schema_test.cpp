#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.h"
#include "random_tuning_record.h"
#include "records/formats/benchmark/benchmark_v01.h"
#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"
#include "records/record/benchmark_record.h"
#include "records/record/record_validation.h"
#include "records/record/tuning_to_benchmark.h"

namespace opbench {
namespace {

const std::string kJsonSchemaFixtures = std::string(OPBENCH_TEST_FIXTURES) + "/records/";
const std::string kSchemas = std::string(OPBENCH_TEST_FIXTURES) + "/../../schemas/";

/// Whether the JSON Schema library of Debian accepts every item, or refuses every item.
bool all_are(bool valid, const std::string& schema, const Json& items) {
  const auto folder = TemporaryFolder::make();
  const std::string place = folder->path().string();
  const std::string path = std::filesystem::canonical(kSchemas + schema).string();
  const Json reference = {{"$ref", "file://" + path}};
  const Json list = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                     {"type", "array"},
                     {"items", valid ? reference : Json{{"not", reference}}}};
  EXPECT_TRUE(write_file(folder->path() / "list.json", list.dump()));
  EXPECT_TRUE(write_file(folder->path() / "items.json", items.dump()));
  return std::system(("python3 -W ignore -m jsonschema -i " + place + "/items.json " + place +
                      "/list.json 2>&1 | head -c 2000 | tee " + place + "/said; test ! -s " +
                      place + "/said")
                         .c_str()) == 0;
}

class JsonSchema : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import jsonschema' 2>/dev/null") != 0) {
      GTEST_SKIP() << "python3-jsonschema is not installed";
    }
  }
};

Json json_schema_benchmark() {
  return Json::parse(R"({
    "schema_version": "0.2", "timestamp": "2026-11-21T09:00:00Z", "status": "ok",
    "workload": "ai.onnx.resnet-18", "engine": "halide", "engine_version": "0.1.0",
    "hardware": "cpu", "runtime_ms_mean": 12.5, "scope": "model", "source_form": "0.2"})");
}

TEST_F(JsonSchema, TellsGoodFromBadHere) {
  const Json items = Json::array({json_schema_benchmark(), Json::object()});
  EXPECT_FALSE(all_are(true, "benchmark_record.schema.json", items));
  EXPECT_FALSE(all_are(false, "benchmark_record.schema.json", items));
}

TEST_F(JsonSchema, AcceptsBenchmarkRecordsOfEveryKind) {
  Json items = Json::array({json_schema_benchmark()});
  for (const char* file : {"google_benchmark.json", "google_benchmark_aggregates.json",
                           "hyperfine.json", "onnxruntime_profile__2026-11-21_19-06-54.json"}) {
    const RecordFile opened = open_records(kJsonSchemaFixtures + file).value();
    while (true) {
      const auto item = opened.reader->next().value();
      if (!item) break;
      if (item->record) items.push_back(to_json(std::get<BenchmarkRecord>(*item->record)));
    }
  }
  Random random(31);
  for (int i = 0; i < 300; ++i) {
    TuningRecord trial = random_tuning_record(random);
    trial.task = "dense";
    std::vector<RecordIssue> ignored;
    const Json record = to_json(benchmark_of(trial, ignored));
    if (!has_errors(validate_record(record))) items.push_back(record);
  }
  EXPECT_GT(items.size(), 250u);
  EXPECT_TRUE(all_are(true, "benchmark_record.schema.json", items));
}

Json prediction() {
  Json record = json_schema_benchmark();
  record.erase("runtime_ms_mean");
  record["kind"] = "predicted";
  record["prediction"] = {{"predictor", "1f2e"}, {"median_ms", 16.5}, {"in_range", true}};
  return record;
}

TEST_F(JsonSchema, TellsGoodPredictionsFromBad) {
  Json good = Json::array({prediction(), json_schema_benchmark()});
  good.back()["kind"] = "measured";
  for (const Json& record : good) EXPECT_FALSE(has_errors(validate_record(record)));
  EXPECT_TRUE(all_are(true, "benchmark_record.schema.json", good));
  Json bad = Json::array();
  const std::vector<std::pair<const char*, Json>> changes = {
      {"/kind", "guessed"},        {"/kind", "measured"},         {"/status", "error"},
      {"/runtime_ms_mean", 3},     {"/runtime_ms_in_place", 3},   {"/n_samples", 3},
      {"/prediction", nullptr},    {"/prediction/predictor", ""}, {"/prediction/median_ms", 0},
      {"/prediction/low_ms", "1"}, {"/prediction/in_range", 1}};
  for (const auto& [pointer, value] : changes) {
    bad.push_back(prediction());
    bad.back()[Json::json_pointer(pointer)] = value;
    EXPECT_TRUE(has_errors(validate_record(bad.back()))) << pointer;
  }
  EXPECT_TRUE(all_are(false, "benchmark_record.schema.json", bad));
}

TEST_F(JsonSchema, RefusesBadBenchmarkRecords) {
  Json items = Json::array();
  const std::vector<std::pair<const char*, Json>> changes = {
      {"schema_version", "0.3"},
      {"record_id", "abc"},
      {"timestamp", "yesterday"},
      {"status", "fine"},
      {"error_no", 4},
      {"workload", "a\nb"},
      {"inputs", Json::parse(R"([{"shape": [-1]}])")},
      {"inputs", Json::parse(R"([{"shape": [1], "dtype": "f32"}])")},
      {"engine", "my engine"},
      {"hardware", ""},
      {"hardware_config", "text"},
      {"runtime_config", Json{{"num_cpu_threads", 0}}},
      {"execution_config", Json{{"repeat", 0}}},
      {"runtime_ms_mean", 0},
      {"runtime_ms_mean", nullptr},
      {"runtime_ms_std", -1},
      {"std_ddof", 2},
      {"n_samples", 0},
      {"runtime_raw_ms", Json::array({1, 0})},
      {"runtime_raw", Json::array({1})},
      {"metrics", Json{{"accuracy", "high"}}},
      {"scope", "node"},
      {"nodes", "conv"},
      {"steady", "yes"}};
  for (const auto& [field, value] : changes) {
    items.push_back(json_schema_benchmark());
    items.back()[field] = value;
    EXPECT_TRUE(has_errors(validate_record(items.back()))) << field;
  }
  for (const char* field :
       {"timestamp", "workload", "engine", "hardware", "scope", "runtime_ms_mean", "source_form"}) {
    items.push_back(json_schema_benchmark());
    items.back().erase(field);
  }
  for (const std::string& field : record_fields()) {
    items.push_back(json_schema_benchmark());
    items.back()[field] = Json::parse("[[]]");
  }
  EXPECT_TRUE(all_are(false, "benchmark_record.schema.json", items));
}

TEST_F(JsonSchema, AcceptsTuningRecords) {
  Random random(32);
  Json items = Json::array();
  for (int i = 0; i < 300; ++i) {
    const ProtobufOptions options{.seed_compat = i % 2 == 1};
    const auto text = encode_protobuf_json(random_tuning_record(random), options);
    items.push_back(Json::parse(text.value()));
  }
  EXPECT_TRUE(all_are(true, "tuning_record.schema.json", items));
}

TEST_F(JsonSchema, RefusesBadTuningRecords) {
  Random random(33);
  TuningRecord record = random_tuning_record(random);
  record.result = {.costs_s = {0.5}};
  record.arguments = {{"data", Argument::of_int(1)}};
  const Json good = Json::parse(encode_protobuf_json(record).value());
  Json items = Json::array();
  for (const char* pointer : {"/target", "/task", "/config", "/result", "/version",
                              "/target/target_string", "/task/task_name"}) {
    const Json::json_pointer path(pointer);
    items.push_back(good);
    items.back()[path.parent_pointer()].erase(path.back());
  }
  const std::vector<std::pair<const char*, Json>> changes = {
      {"/version", "1.0"},
      {"/colour", "red"},
      {"/result/error_no", 9},
      {"/result/error_no", 4},
      {"/result/costs_s", Json::array()},
      {"/result/costs_s", Json::array({-1})},
      {"/task/arguments/0/value", Json::object()},
      {"/task/arguments/0/value", Json{{"int_value", "1"}, {"value", "x"}}},
      {"/task/arguments/0/value", Json{{"int_value", 1.5}}},
      {"/config", Json::object()},
      {"/origin/format", "LOG"}};
  for (const auto& [pointer, value] : changes) {
    items.push_back(good);
    items.back()[Json::json_pointer(pointer)] = value;
  }
  EXPECT_TRUE(all_are(false, "tuning_record.schema.json", items));
}

}  // namespace
}  // namespace opbench
