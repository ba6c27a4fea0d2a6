#include "presentation/report/tables/text_table.h"

#include <gtest/gtest.h>

#include "base/text/display_width.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

TextTable sample_text_table() {
  return {
      .columns = {{.header = "operator", .shrinks_to = 6},
                  {.header = "time", .is_right_aligned = true, .unit = "ms"},
                  {.header = "rate", .is_right_aligned = true, .drop_order = 1}},
      .rows = {{{"conv2d+add", "12.5", "3"}, {"again: op 'conv2d'"}}, {{"±pool", "0.1", "44"}}}};
}

TEST(TextTable, AlignsColumnsWithUnitsBelowTheHeaders) {
  EXPECT_EQ(aligned_text(sample_text_table(), 0, {}),
            "operator    time  rate\n"
            "              ms\n"
            "conv2d+add  12.5     3\n"
            "    again: op 'conv2d'\n"
            "±pool        0.1    44\n");
}

TEST(TextTable, BreaksCellsThenLeavesOutColumnsThatDoNotFit) {
  EXPECT_EQ(aligned_text(sample_text_table(), 20, {}).substr(0, 21), "operator  time  rate\n");
  const std::string narrow = aligned_text(sample_text_table(), 12, {});
  EXPECT_EQ(narrow,
            "operator  time\n"
            "            ms\n"
            "conv2d+   12.5\n"
            "add\n"
            "    again: op 'conv2d'\n"
            "±pool      0.1\n"
            "(too narrow for: rate)\n");
}

TEST(TextTable, LeavesNothingOutWhereTheWidthIsAWish) {
  EXPECT_EQ(aligned_text(sample_text_table(), -12, {}),
            "operator  time  rate\n"
            "            ms\n"
            "conv2d+   12.5     3\n"
            "add\n"
            "    again: op 'conv2d'\n"
            "±pool      0.1    44\n");
}

TEST(TextTable, ColoursOnlyWhenAsked) {
  EXPECT_NE(aligned_text(sample_text_table(), 0, {true}).find("\033[1m"), std::string::npos);
  EXPECT_EQ(aligned_text(sample_text_table(), 0, {false}).find('\033'), std::string::npos);
}

TEST(TextTable, WritesMarkdownWithEscapedBars) {
  TextTable table{.columns = {{.header = "a"}, {.header = "b", .is_right_aligned = true}},
                  .rows = {{{"x|y", "1"}}}};
  EXPECT_EQ(markdown_text(table), "| a | b |\n| --- | --: |\n| x\\|y | 1 |\n");
}

TEST(TextTable, QuotesCsvCellsThatNeedIt) {
  TextTable table{.columns = {{.header = "a"}, {.header = "b"}},
                  .rows = {{{"1,2", "say \"x\""}}, {{"plain", "two\nlines"}}}};
  EXPECT_EQ(csv_text(table), "a,b\n\"1,2\",\"say \"\"x\"\"\"\nplain,\"two\nlines\"\n");
}

TEST(TextTable, GivesProgramsOneNumberACell) {
  const TextTable table{.columns = {{.header = "what"},
                                    {.header = "over", .is_right_aligned = true},
                                    {.header = "interval", .numbers = {"low", "high"}}},
                        .rows = {{{"3 + 4", "+6.1 %", "[0.900, 1.100]"}},
                                 {{"b", "1.20 k", "1.5 to -2e-05"}},
                                 {{"c", "0.950 ×", "-"}},
                                 {{"d", "failed", "7 ±0.5"}}}};
  EXPECT_EQ(csv_text(table),
            "what,over,low,high\n"
            "3 + 4,6.1,0.900,1.100\n"
            "b,1200,1.5,-2e-05\n"
            "c,0.950,,\n"
            "d,failed,7,0.5\n");
}

TEST(TextTable, KeepsNumbersWholeAndBreaksWordsWhereNothingIsLeftToLeaveOut) {
  const TextTable table{
      .columns = {{.header = "variant"},
                  {.header = "2 threads", .is_right_aligned = true, .shrinks_to = 4},
                  {.header = "change", .shrinks_to = 6, .shrinks_last = true}},
      .rows = {{{"one two three", "123.456", "+1 % (0 to 2)"}}}};
  EXPECT_EQ(aligned_text(table, 30, {}).substr(0, 31), "variant              2  change\n");
  const std::string narrow = aligned_text(table, 26, {});
  EXPECT_NE(narrow.find("123.456"), std::string::npos) << narrow;
  EXPECT_EQ(narrow.find("too narrow"), std::string::npos);
  for (size_t at = 0; at < narrow.size();) {
    const size_t end = narrow.find('\n', at);
    EXPECT_LE(display_width(narrow.substr(at, end - at)), 26U) << narrow;
    at = end + 1;
  }
}

TEST(TextTable, RefusesAnUnknownFormat) {
  const auto text = formatted_text(sample_text_table(), "cvs", 0, {});
  ASSERT_FALSE(text);
  EXPECT_EQ(to_text(text.error()),
            "error: unknown format \"cvs\"\n  known: table, md, csv\n  did you mean: csv?\n");
}

TEST(NumberText, KeepsThreeSignificantDigitsOfSmallTimes) {
  EXPECT_EQ(ms_text(12.3456), "12.346");
  EXPECT_EQ(ms_text(0.412), "0.412");
  EXPECT_EQ(ms_text(0.01234), "0.0123");
  EXPECT_EQ(ms_text(0.00123), "0.00123");
  EXPECT_EQ(ms_text(0), "0.000");
}

TEST(NumberText, ScalesByThousands) {
  EXPECT_EQ(scaled_text(812), "812");
  EXPECT_EQ(scaled_text(999.6), "1.00 k");
  EXPECT_EQ(scaled_text(34.56e6), "34.6 M");
  EXPECT_EQ(scaled_text(231211008), "231 M");
  EXPECT_EQ(scaled_text(3.6e9), "3.60 G");
}

TEST(NumberText, WritesExactNumbersThatReadBack) {
  EXPECT_EQ(exact_text(0.1), "0.1");
  EXPECT_EQ(exact_text(std::nullopt), "");
  EXPECT_EQ(std::stod(exact_text(1.0 / 3)), 1.0 / 3);
}

}  // namespace
}  // namespace opbench
