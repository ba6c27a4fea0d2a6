#include "watching/series/alert_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "watching/series/paired_runs.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

RegressReport some_report() {
  const Alert alert{.id = "x@1-2",
                    .kind = AlertKind::kChange,
                    .engine = "x",
                    .range = {.good_night = 1,
                              .bad_night = 2,
                              .good_date = "a",
                              .bad_date = "b",
                              .commits = {{"c1", true}, {"c2", false}}},
                    .state = AlertState::kSettled,
                    .life = AlertLife::kAccepted,
                    .rows = {{"x/m/u", 0.05, 0.04, 0.06, 9, 20}},
                    .cause = "built again",
                    .why_suspected = "",
                    .reported_night = 2,
                    .confirmed_night = 3,
                    .settled_night = 14};
  return {.detector = "hash",
          .unit = "ms",
          .nights = 20,
          .series = 1,
          .rows = 19,
          .last_night = 20,
          .last_date = "d",
          .has_pairs = true,
          .paired_runs = 2,
          .pairs = 60,
          .alerts = {alert, {.id = "m", .kind = AlertKind::kMissing}},
          .notes = {"one"},
          .noisiest = {"x/m/u"}};
}

TEST(AlertJson, ReadsWhatItWrites) {
  const auto read = regress_of_json(regress_json(some_report()));
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(*read, some_report());
}

TEST(AlertJson, ShowsPercentAndDirection) {
  const Json json = alert_json(some_report().alerts[0]);
  EXPECT_EQ(json["direction"], "slower");
  EXPECT_NEAR(json["rows"][0]["change_percent"].get<double>(), 5.127, 0.001);
}

TEST(AlertJson, NamesTheMemberThatIsWrong) {
  Json json = regress_json(some_report());
  json["alerts"][0]["state"] = "sure";
  const auto word = regress_of_json(json);
  ASSERT_FALSE(word);
  EXPECT_THAT(word.error().message, HasSubstr("\"state\" of an alert is not a known word"));
  json.erase("nights");
  const auto missing = regress_of_json(json);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("\"nights\" of the report is not a whole number"));
  EXPECT_FALSE(regress_of_json(Json::parse(R"({"schema": "opbench.plan/1"})")));
}

TEST(KeptPairs, AsksNothingTwice) {
  std::vector<PairedRun> kept;
  int asked = 0;
  const PairSource source = kept_pairs(kept, [&](const PairedQuestion&) -> Result<PairedAnswer> {
    ++asked;
    return PairedAnswer{.log_ratios = {0.1}};
  });
  const PairedQuestion question{.series = "a", .night = 1, .pairs = 20};
  EXPECT_EQ(source(question)->log_ratios.size(), 1);
  EXPECT_EQ(source(question)->log_ratios.size(), 1);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(kept.size(), 1);
}

}  // namespace
}  // namespace opbench
