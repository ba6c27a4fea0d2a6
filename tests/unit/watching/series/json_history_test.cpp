#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watching/series/history_reader.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kHead =
    R"({"record":"head","format":"opbench-watch-year/1","unit":"ms"})"
    "\n"
    R"({"record":"night","night":3,"date":"2026-01-04","commits":[["a1","code"],["b2","docs"]],"environment":"e","method":"m"})"
    "\n"
    R"({"record":"series","series":7,"id":"x/m/u","engine":"x","control":true,"model":"m","chain":"m/c","unit":"u","nodes":["n0"]})"
    "\n";

Error line_error(const std::string& text) {
  const Result<History> history = history_of_json_lines(text, "h.jsonl");
  EXPECT_FALSE(history) << text;
  return history ? Error{} : history.error();
}

TEST(JsonHistory, ReadsNightsSeriesRowsAndTotals) {
  const auto history = history_of_json_lines(
      kHead + R"({"n":3,"s":7,"h":"ab","ms":[1.5,2]})" + "\n" +
          R"({"record":"totals","night":3,"chain":{"x/m/c":4.5},"model":{"x/m":9}})" + "\n",
      "");
  ASSERT_TRUE(history);
  const Series expected{.id = "x/m/u",
                        .engine = "x",
                        .is_control = true,
                        .model = "m",
                        .chain = "m/c",
                        .unit = "u",
                        .nodes = {"n0"}};
  EXPECT_THAT(history->series, ElementsAre(expected));
  const Night& night = history->nights[0];
  EXPECT_EQ(night.index, 3);
  EXPECT_THAT(night.commits, ElementsAre(Commit{"a1", true}, Commit{"b2", false}));
  EXPECT_THAT(night.rows, ElementsAre(NightRow{0, "ab", {1.5, 2}}));
  EXPECT_EQ(night.chains.at("x/m/c"), 4.5);
  EXPECT_EQ(night.models.at("x/m"), 9);
}

TEST(JsonHistory, LeavesOutALastLineThatIsCutOff) {
  const auto history = history_of_json_lines(
      kHead + R"({"n":3,"s":7,"h":"ab","ms":[1.5]})" + "\n" + R"({"n":3,"s":8,"h":"a)", "");
  ASSERT_TRUE(history);
  EXPECT_THAT(history->notes, ElementsAre("line 5 is cut off: it is left out"));
}

TEST(JsonHistory, NamesLineAndFault) {
  EXPECT_THAT(to_text(line_error(kHead + "{\"n\":3,\"s\":7,\"ms\":[0]}\n")),
              HasSubstr("a value of \"x/m/u\" is \"0\", which is no time\n  in: h.jsonl:4"));
  EXPECT_THAT(line_error(kHead + "{\"n\":3,\"s\":8,\"ms\":[1]}\n").message,
              HasSubstr("series 8 is not described"));
  EXPECT_THAT(line_error(kHead + "{\"n\":4,\"s\":7,\"ms\":[1]}\n").message,
              HasSubstr("a row of night 4 stands outside it"));
  EXPECT_THAT(line_error(kHead + "nonsense\n").message,
              HasSubstr("\"nonsense\" is no JSON object"));
  EXPECT_THAT(to_text(line_error("{\"record\":\"nigth\"}\n")), HasSubstr("did you mean: night?"));
  EXPECT_THAT(line_error("{\"record\":\"head\",\"format\":\"x/2\"}\n").message,
              HasSubstr("unknown format \"x/2\""));
}

TEST(JsonHistory, RefusesWhatStandsTwice) {
  const std::string row = "{\"n\":3,\"s\":7,\"ms\":[1]}\n";
  EXPECT_THAT(line_error(kHead + row + row).message, HasSubstr("stands twice in night 3"));
  EXPECT_THAT(line_error(kHead + "{\"record\":\"night\",\"night\":3}\n").message,
              HasSubstr("night 3 stands after night 3"));
}

TEST(JsonHistory, SaysThatThereIsNoNight) { EXPECT_EQ(line_error("").code, ErrorCode::kNoMatch); }

}  // namespace
}  // namespace opbench
