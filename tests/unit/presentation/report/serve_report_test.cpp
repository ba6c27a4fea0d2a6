#include "presentation/report/serve/serve_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ServeResult served(const std::vector<std::string>& policies) {
  ServeResult result;
  result.system = {
      .workers = 2,
      .teams = {1, 2},
      .models = {{"a", {{.times_ms = {4, 2.2}}, {.first_unit = 1, .times_ms = {4, 2}}}},
                 {"b", {{.times_ms = {1, 0.6}}}}}};
  result.facts = {{"a", "zoo", "aa", 2, "measured in the model, a.json"},
                  {"b", "zoo", "bb", 1, "measured in the model, b.json"}};
  result.target = "llvm";
  result.cpus = {0, 1};
  result.options = {
      .loads = {0.5, 0.9}, .policies = policies, .seeds = 3, .queries = {.count = 100}};
  result.study = study_serving(result.system, result.options).value();
  result.slow_down = "1 (declared)";
  result.noise = "shared machine";
  result.warnings = {"a: noisy"};
  return result;
}

TEST(ServeReport, HasARowForEachLoadAndVariant) {
  const ServeResult result = served({"edf", "slack"});
  const TextTable table = serve_table(result);
  ASSERT_EQ(table.rows.size(), 2u * (4 + 2));
  int winners = 0;
  for (const TextRow& row : table.rows) {
    ASSERT_EQ(row.cells.size(), table.columns.size());
    winners += row.is_emphasised ? 1 : 0;
    EXPECT_EQ(row.is_emphasised, row.cells.back() == "winner");
  }
  EXPECT_EQ(winners, 2);
}

TEST(ServeReport, SaysThatItIsSimulatedAndWhoWins) {
  const std::string text = serve_text(served({"edf", "slack"}), 0, {});
  EXPECT_THAT(text,
              HasSubstr("simulated 3 seeds × 100 queries, deadline 3x, noise 5 %, slow-down beside "
                        "others 1 (declared)\n\n"));
  EXPECT_THAT(text, HasSubstr("load 0.9: fewest violations by slack"));
  EXPECT_THAT(text, HasSubstr("slack drop less the best baseline, edf"));
  EXPECT_THAT(text, HasSubstr("warning: a: noisy"));
  EXPECT_THAT(text, HasSubstr("machine   shared machine\n"));
  EXPECT_THAT(serve_text(served({"edf"}), 0, {}), Not(HasSubstr("less")));
}

TEST(ServeReport, SaysHowGoodThePredictorOfSlowDownsIs) {
  ServeResult result = served({"slack"});
  result.judgement =
      GroupJudgement{.errors = {{.method = "max", .groups = 40, .mean_error = 0.07},
                                {.method = "trees", .groups = 40, .mean_error = 0.021}},
                     .noise_floor = 0.02};
  EXPECT_THAT(serve_text(result, 0, {}),
              HasSubstr("unseen pairs: max 7.0 %, trees 2.1 %; noise floor 2.0 %"));
  EXPECT_EQ(serve_json(result)["predictor"]["methods"][1]["mean_error"], 0.021);
}

TEST(ServeReport, HoldsEverySeedInItsJson) {
  const Json json = serve_json(served({"edf", "slack"}));
  EXPECT_EQ(json["schema"], "opbench.serve/1");
  EXPECT_EQ(json["is_simulated"], true);
  EXPECT_EQ(json["models"][0]["segments"][1]["first_unit"], 1);
  EXPECT_EQ(json["models"][0]["segments"][1]["times_ms"], Json({4.0, 2.0}));
  ASSERT_EQ(json["loads"].size(), 2u);
  const Json& load = json["loads"][1];
  ASSERT_EQ(load["policies"].size(), 6u);
  const Json& violations = load["policies"][0]["violations"];
  ASSERT_EQ(violations["by_seed"].size(), 3u);
  double sum = 0;
  for (const Json& one : violations["by_seed"]) sum += one.get<double>();
  EXPECT_NEAR(violations["mean"].get<double>(), sum / 3, 1e-12);
  EXPECT_EQ(load["comparison"]["first"], "slack drop");
  EXPECT_EQ(serve_json(served({"edf"}))["loads"][0]["comparison_reason"],
            "only one policy was simulated");
}

}  // namespace
}  // namespace opbench
