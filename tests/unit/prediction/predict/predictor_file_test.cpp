#include "prediction/predict/files/predictor_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/json/json.h"
#include "prediction/predict/fit_predictor.h"
#include "simulated_samples.h"

namespace opbench {
namespace {

const UnitPredictor& predictor() {
  static const UnitPredictor kPredictor =
      *fit_predictor(simulated_samples(12, 1), {.engine = "halide",
                                                .threads = 2,
                                                .machine_hash = "here",
                                                .software_hash = "s",
                                                .schedule_version = "v",
                                                .target = "llvm",
                                                .timestamp = "2026-01-01T00:00:00Z",
                                                .ceilings = round_ceilings()});
  return kPredictor;
}

TEST(PredictorFile, IsTheSameAfterReading) {
  const std::string text = to_text(predictor());
  const auto again = parse_predictor(text);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(to_text(*again), text);
  EXPECT_EQ(again->id(), predictor().id());
  const SampleSet set = simulated_samples(2, 2);
  for (const UnitSample& unit : set.units) {
    EXPECT_EQ(predict_unit(*again, unit.features, unit.context, 0.9).in_model.high_s,
              predict_unit(predictor(), unit.features, unit.context, 0.9).in_model.high_s);
  }
}

TEST(PredictorFile, NamesTheRecordsItLearntFrom) {
  const Json json = Json::parse(to_text(predictor()));
  EXPECT_EQ(json.at("records").size(), 12U * 12 + 12);
  EXPECT_EQ(json.at("schema"), "opbench.predictor/2");
}

TEST(PredictorFile, IdDependsOnRecords) {
  UnitPredictor other = predictor();
  other.record_ids.pop_back();
  EXPECT_NE(other.id(), predictor().id());
}

TEST(PredictorFile, RefusesDamage) {
  const std::string text = to_text(predictor());
  const auto cut = parse_predictor(text.substr(0, text.size() / 2));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kInvalidInput);
  EXPECT_FALSE(parse_predictor("{}"));
  EXPECT_FALSE(parse_predictor("[]"));
  EXPECT_FALSE(parse_predictor(R"({"schema": "opbench.profile/1"})"));
  for (const char* field : {"machine_hash", "ceilings", "forests", "kinds", "models", "records"}) {
    Json json = Json::parse(text);
    json.erase(field);
    EXPECT_FALSE(parse_predictor(json.dump())) << field;
    json[field] = 7;
    EXPECT_FALSE(parse_predictor(json.dump())) << field;
  }
  Json json = Json::parse(text);
  json["forests"]["general"]["columns"] = {"flops"};
  EXPECT_FALSE(parse_predictor(json.dump()));
}

TEST(PredictorFile, OfAnotherMachineIsRefused) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const auto path = predictor_path(folder->path(), "halide", 2);
  EXPECT_EQ(path.filename(), "halide-t2.json");
  PredictorPlace place{
      .folder = folder->path(), .engine = "halide", .threads = 2, .machine_hash = "here"};
  const auto missing = load_predictor(place);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNoMatch);
  EXPECT_EQ(missing.error().facts.at(0).text,
            "opbench predict train --threads 2 --predictors " + folder->path().string() +
                " --budget 30m measures this machine and makes one");
  ASSERT_TRUE(save_predictor(predictor(), path));
  EXPECT_TRUE(load_predictor(place));
  place.machine_hash = "elsewhere";
  const auto foreign = load_predictor(place);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace opbench
