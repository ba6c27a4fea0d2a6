#include "records/record/predicted_records.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "records/record/record_validation.h"
#include "records/record/replay.h"

namespace opbench {
namespace {

PredictedRun run() {
  PredictedRun run{.run_id = "abc",
                   .timestamp = "2026-11-25T12:00:00Z",
                   .model = "resnet-18",
                   .engine = "halide",
                   .threads = 2,
                   .predictor = "1f2e",
                   .interval_percent = 90,
                   .total = {.median = 16.5, .low = 15.4, .high = 17.7},
                   .argv = {"opbench", "predict", "resnet-18"},
                   .environment = environment_from(
                       Json::parse(R"({"machine":{"cpu_model":"x"},"machine_hash":"m"})"))};
  run.units.push_back({.identity = {.operator_text = "relu",
                                    .workload = parse_workload("relu 4x8").value(),
                                    .blocks = {0, 0},
                                    .schedule = "elementwise",
                                    .origin = {},
                                    .nodes = {"a", "b", "c"}},
                       .config = {{"vector", 16}},
                       .count = 3,
                       .time = {.median = 0.02, .low = 0.01, .high = 0.03},
                       .isolated_ms = 0.018,
                       .is_in_range = false,
                       .why_not = "no relu was measured"});
  return run;
}

TEST(PredictedRecords, AreOfTheirKindAndHaveNoMeasuredTime) {
  const std::vector<BenchmarkRecord> records = records_of(run());
  ASSERT_EQ(records.size(), 2U);
  for (const BenchmarkRecord& record : records) {
    EXPECT_TRUE(is_predicted(record));
    const Json json = to_json(record);
    EXPECT_EQ(json["prediction"]["predictor"], "1f2e");
    for (const auto& [field, value] : json.items()) {
      EXPECT_FALSE(field.starts_with("runtime_ms") || field.starts_with("runtime_raw")) << field;
    }
    EXPECT_THAT(validate_record(json), testing::IsEmpty());
    EXPECT_EQ(record_from_json(json).value(), record);
  }
  EXPECT_EQ(records[0].scope, "model");
  EXPECT_EQ(Json::parse(records[0].prediction->text)["median_ms"], 16.5);
  const Json unit = Json::parse(records[1].prediction->text);
  EXPECT_EQ(unit["isolated_ms"], 0.018);
  EXPECT_EQ(unit["in_range"], false);
  EXPECT_EQ(unit["in_range_reason"], "no relu was measured");
  EXPECT_EQ(records[1].count, 3);
}

TEST(PredictedRecords, OfAWorkloadHaveNoModel) {
  PredictedRun workload = run();
  workload.is_workload = true;
  const std::vector<BenchmarkRecord> records = records_of(workload);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].scope, "unit");
}

TEST(PredictedRecords, CannotBeReplayed) {
  const auto items = plan_replay(to_line(records_of(run()).front()));
  ASSERT_FALSE(items);
  EXPECT_EQ(items.error().message, "record 1 was predicted, not measured");
}

/// The codes of what is wrong when a member of a good record has another value.
std::vector<std::string> predicted_records_codes(const std::string& pointer, const Json& value) {
  Json record = to_json(records_of(run()).front());
  record[Json::json_pointer(pointer)] = value;
  std::vector<std::string> result;
  for (const RecordIssue& issue : validate_record(record)) result.push_back(issue.code);
  return result;
}

TEST(PredictionRules, NameWhatIsWrong) {
  using testing::ElementsAre;
  EXPECT_THAT(predicted_records_codes("/kind", "guessed"),
              ElementsAre("E_MISSING", "E_KIND", "E_KIND"));
  EXPECT_THAT(predicted_records_codes("/kind", "measured"), ElementsAre("E_MISSING", "E_KIND"));
  EXPECT_THAT(predicted_records_codes("/runtime_ms_mean", 1.0), ElementsAre("E_KIND"));
  EXPECT_THAT(predicted_records_codes("/runtime_ms_in_place", 1.0), ElementsAre("E_KIND"));
  EXPECT_THAT(predicted_records_codes("/runtime_raw_ms", Json::array({1.0})),
              ElementsAre("E_KIND"));
  EXPECT_THAT(predicted_records_codes("/prediction", nullptr), ElementsAre("E_MISSING"));
  EXPECT_THAT(predicted_records_codes("/prediction", "16 ms"), ElementsAre("E_TYPE"));
  EXPECT_THAT(predicted_records_codes("/prediction/predictor", nullptr), ElementsAre("E_MISSING"));
  EXPECT_THAT(predicted_records_codes("/prediction/predictor", ""), ElementsAre("E_TYPE"));
  EXPECT_THAT(predicted_records_codes("/prediction/median_ms", nullptr), ElementsAre("E_MISSING"));
  EXPECT_THAT(predicted_records_codes("/prediction/median_ms", 0), ElementsAre("E_NEGATIVE"));
  EXPECT_THAT(predicted_records_codes("/prediction/median_ms", 99.0), ElementsAre("E_RANGE"));
  EXPECT_THAT(predicted_records_codes("/prediction/low_ms", "1"), ElementsAre("E_TYPE"));
  EXPECT_THAT(predicted_records_codes("/prediction/interval_percent", 100), ElementsAre("E_RANGE"));
  EXPECT_THAT(predicted_records_codes("/prediction/in_range", "yes"), ElementsAre("E_TYPE"));
}

TEST(PredictionRules, AreOnlyForPredictions) {
  Json record = to_json(records_of(run()).front());
  record.erase("prediction");
  record.erase("kind");
  record["runtime_ms_mean"] = 3.0;
  EXPECT_THAT(validate_record(record), testing::IsEmpty());
  record["kind"] = "measured";
  EXPECT_THAT(validate_record(record), testing::IsEmpty());
}

}  // namespace
}  // namespace opbench
