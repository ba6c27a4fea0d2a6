#include "presentation/report/compare/compare_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

#include "sample_compare.h"

namespace opbench {
namespace {

TEST(CompareJson, HasTheFieldsThatAreStable) {
  const Json json = compare_json(sample_compare());
  EXPECT_EQ(json["schema"], "opbench.compare/1");
  for (const char* name :
       {"tool",       "run_id",      "timestamp",   "command", "source", "sha256",
        "target",     "unit",        "cache",       "layouts", "seed",   "margin_percent",
        "correction", "forced",      "base",        "new",     "noise",  "units",
        "model",      "differences", "environment", "warnings"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  for (const char* name : {"base_ms", "new_ms", "ratio", "floor_percent", "margin_percent",
                           "verdict", "reason", "needs_s", "rounds", "dropped_rounds"}) {
    EXPECT_TRUE(json["model"].contains(name)) << name;
    for (const Json& unit : json["units"]) EXPECT_TRUE(unit.contains(name)) << name;
  }
  EXPECT_EQ(json["base"]["label"], "halide");
  EXPECT_EQ(json["new"]["label"], "onednn");
  EXPECT_EQ(json["new"]["versions"]["onednn"], "1.0");
  EXPECT_EQ(json["noise"]["class"], "quiet");
  EXPECT_EQ(json["noise"]["floor_percent"], 0.8);
  EXPECT_EQ(json["model"]["name"], "tiny");
  EXPECT_EQ(json["environment"]["machine"]["cores"], 2);
  EXPECT_FALSE(json.contains("comparisons"));
}

TEST(CompareJson, NamesTheProgramCommitAndTunedKernelsOfEverySide) {
  CompareResult result = sample_compare();
  result.sides[0].program_version = "0.1.0";
  result.sides[0].commit = "0123456789ab";
  result.sides[1].kernels = {{"relu 1x4", "elementwise (a.log:3)"}};
  const Json json = compare_json(result);
  EXPECT_EQ(json["base"]["opbench_version"], "0.1.0");
  EXPECT_EQ(json["base"]["git_commit"], "0123456789ab");
  EXPECT_TRUE(json["new"]["git_commit"].is_null());
  EXPECT_EQ(json["new"]["tuned_kernels"]["relu 1x4"], "elementwise (a.log:3)");
}

TEST(CompareJson, GivesRatiosOfNewOverBaseAndVerdictsAsWords) {
  const Json json = compare_json(sample_compare());
  const Json unit = json["units"][0];
  EXPECT_EQ(unit["ratio"], (Json{{"median", 1.061}, {"low", 1.052}, {"high", 1.07}}));
  EXPECT_EQ(unit["verdict"], "slower");
  EXPECT_EQ(unit["base_ms"]["median"], 2.0);
  EXPECT_DOUBLE_EQ(unit["new_ms"]["median"], 2.122);
  EXPECT_EQ(json["units"][1]["verdict"], "faster");
  EXPECT_EQ(json["units"][2]["verdict"], "same");
  EXPECT_EQ(json["units"][3]["verdict"], "inconclusive");
  EXPECT_EQ(json["units"][3]["needs_s"], 130);
  EXPECT_EQ(json["model"]["verdict"], "faster");
}

TEST(CompareJson, SaysWhyAFieldIsNull) {
  const Json json = compare_json(sample_compare());
  const Json& decided = json["units"][0];
  EXPECT_TRUE(decided["needs_s"].is_null());
  EXPECT_EQ(decided["needs_s_reason"], "it is decided");
  const Json& judged_by_nobody = json["units"][4];
  EXPECT_TRUE(judged_by_nobody["verdict"].is_null());
  EXPECT_EQ(judged_by_nobody["verdict_reason"], "shorter than 20 empty calls of onnxruntime");
  const Json& broken = json["units"][5];
  for (const std::string field : {"new_ms", "ratio", "verdict", "needs_s"}) {
    EXPECT_TRUE(broken[field].is_null()) << field;
    EXPECT_EQ(broken[field + "_reason"],
              "failed on the new side: run_error: killed by signal 11 (SIGSEGV)");
  }
  EXPECT_EQ(broken["failed"], true);
  EXPECT_EQ(judged_by_nobody["failed"], false);
  EXPECT_EQ(broken["floor_percent_reason"], "no A/A pairs of it were measured");
}

TEST(CompareJson, HoldsNoInfinity) {
  CompareResult result = sample_compare();
  result.comparisons[0].units[0].ratio->high = std::numeric_limits<double>::infinity();
  const Json unit = compare_json(result)["units"][0];
  EXPECT_TRUE(unit["ratio"].is_null());
  EXPECT_EQ(unit["ratio_reason"], "not a finite number");
}

TEST(CompareJson, MarksWhatWasForced) {
  CompareResult result = sample_compare();
  result.is_forced = true;
  result.incomparable = {"shapes"};
  const Json json = compare_json(result);
  EXPECT_EQ(json["forced"], true);
  EXPECT_EQ(json["incomparable"], Json({"shapes"}));
}

TEST(CompareJson, ListsAllPairsOfMoreThanTwoSides) {
  const Json json = compare_json(sample_of_three());
  ASSERT_EQ(json["comparisons"].size(), 3U);
  EXPECT_EQ(json["comparisons"][2]["base"]["label"], "onednn");
  EXPECT_EQ(json["comparisons"][2]["new"]["label"], "onnxruntime");
  EXPECT_EQ(json["comparisons"][2]["units"].size(), 3U);
  EXPECT_EQ(json["comparisons"][0]["units"], json["units"]);
  EXPECT_EQ(json["winners"][0]["tied"], Json({"onednn", "onnxruntime"}));
  EXPECT_EQ(json["winners"][1]["winner"], "onednn");
  EXPECT_EQ(json["winners"][2]["winner_reason"], "verdicts are missing");
  EXPECT_EQ(json["winners"][3]["operator"], "model");
}

TEST(CompareJson, BearsThatNothingWasCompared) {
  const Json json = compare_json({});
  EXPECT_TRUE(json["base"].is_null());
  EXPECT_EQ(json["model"]["verdict_reason"], "nothing was compared");
}

}  // namespace
}  // namespace opbench
