#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watching/series/history_reader.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Error csv_error(const std::string& text) {
  const Result<History> history = history_of_csv(text, "h.csv");
  EXPECT_FALSE(history);
  return history ? Error{} : history.error();
}

TEST(CsvHistory, TakesTheNeededColumnsInAnyOrder) {
  const auto history =
      history_of_csv("value,series,time\n2.5,a,2026-01-02\n2.0,a,2026-01-01\n", "");
  ASSERT_TRUE(history);
  ASSERT_EQ(history->nights.size(), 2);
  EXPECT_EQ(history->nights[0].date, "2026-01-01");
  EXPECT_THAT(history->nights[0].rows[0].values, ElementsAre(2.0));
  EXPECT_THAT(history->nights[1].rows[0].values, ElementsAre(2.5));
}

TEST(CsvHistory, TakesCommitsInTheirOrder) {
  const auto history = history_of_csv("series,commit,value\na,f00,1\nb,f00,2\na,e11,1\n", "");
  ASSERT_TRUE(history);
  ASSERT_EQ(history->nights.size(), 2);
  EXPECT_EQ(history->nights[0].commits[0].id, "f00");
  EXPECT_EQ(history->nights[0].rows.size(), 2);
}

TEST(CsvHistory, TakesTheOtherColumns) {
  const auto history = history_of_csv(
      "series,time,value,hash,environment,method,control,chain,engine,unit\n"
      "\"e/m/u\",1,1500,ab,env,meth,yes,m/c,x,us\n",
      "");
  ASSERT_TRUE(history);
  const Series& series = history->series[0];
  EXPECT_EQ(series.engine, "x");
  EXPECT_EQ(series.model, "m");
  EXPECT_EQ(series.unit, "u");
  EXPECT_EQ(series.chain, "m/c");
  EXPECT_TRUE(series.is_control);
  EXPECT_EQ(history->unit, "ms");
  EXPECT_EQ(history->nights[0].environment, "env");
  EXPECT_EQ(history->nights[0].method, "meth");
  EXPECT_EQ(history->nights[0].rows[0].hash, "ab");
  EXPECT_DOUBLE_EQ(history->nights[0].rows[0].values[0], 1.5);
}

TEST(CsvHistory, ReadsQuotesLineEndsAndOtherSeparators) {
  const auto history =
      history_of_csv("series;time;value\r\n\"a; \"\"b\"\"\nc\";1;2\r\n\r\na;2;3", "");
  ASSERT_TRUE(history);
  EXPECT_EQ(history->series[0].id, "a; \"b\"\nc");
  EXPECT_EQ(history->nights.size(), 2);
}

TEST(CsvHistory, JoinsPointsThatStandTwiceAndSaysSo) {
  const auto history = history_of_csv("series,time,value\na,1,2\na,1,3\na,2,\na,3,4\nb,3,4\n", "");
  ASSERT_TRUE(history);
  EXPECT_THAT(history->nights[0].rows[0].values, ElementsAre(2, 3));
  EXPECT_THAT(history->notes,
              ElementsAre(HasSubstr("1 values share series and night"),
                          HasSubstr("1 lines have no value"), HasSubstr("1 of 2 series have one")));
}

TEST(CsvHistory, NamesWhatIsWrong) {
  EXPECT_THAT(csv_error("serie,time,value\na,1,2\n").message, HasSubstr("no column \"series\""));
  EXPECT_THAT(to_text(csv_error("serie,time,value\na,1,2\n")),
              HasSubstr("did you mean: \"serie\""));
  EXPECT_THAT(csv_error("series,value\na,1\n").message, HasSubstr("no column \"time\""));
  EXPECT_THAT(to_text(csv_error("series,time,value\na,1,2\na,2,-3\n")),
              HasSubstr("\"-3\", which is no number above 0\n  line: 3\n  in: h.csv"));
  EXPECT_THAT(csv_error("series,time,value\na,soon,2\n").message, HasSubstr("\"soon\" is no time"));
  EXPECT_THAT(csv_error("series,time,value\na,1\n").message, HasSubstr("has 2 cells"));
  EXPECT_THAT(csv_error("series,time,value\n\"a,1,2\n").message, HasSubstr("does not end"));
  EXPECT_THAT(csv_error("series,time,value,time\na,1,2,3\n").message, HasSubstr("stands twice"));
  EXPECT_THAT(csv_error("series,time,value,control\na,1,2,maybe\n").message,
              HasSubstr("control is \"maybe\""));
}

TEST(CsvHistory, RefusesUnitsThatDoNotGoTogether) {
  EXPECT_THAT(csv_error("series,time,value,unit\na,1,2,ms\na,2,2,images/s\n").message,
              HasSubstr("is in \"images/s\", lines before it are in \"ms\""));
  EXPECT_THAT(csv_error("series,time,value\na,1,2\na,2,2100\n").message,
              HasSubstr("these look like two units"));
}

TEST(CsvHistory, RefusesTwoHashesOfOnePoint) {
  EXPECT_THAT(csv_error("series,time,value,hash\na,1,2,x\na,1,2,y\n").message,
              HasSubstr("with the hashes \"x\" and \"y\""));
}

TEST(CsvHistory, SaysThatThereIsNoHistory) {
  EXPECT_EQ(csv_error("").code, ErrorCode::kNoMatch);
  EXPECT_EQ(csv_error("series,time,value\n").code, ErrorCode::kNoMatch);
}

}  // namespace
}  // namespace opbench
