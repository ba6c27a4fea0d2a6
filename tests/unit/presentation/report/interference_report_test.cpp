#include "presentation/report/interference/interference_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_interference.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(InterferenceReport, ShadesFollowTheSteps) {
  EXPECT_EQ(heat_shade(0.97), "·");
  EXPECT_EQ(heat_shade(1.019), "·");
  EXPECT_EQ(heat_shade(1.02), "░");
  EXPECT_EQ(heat_shade(1.1), "▒");
  EXPECT_EQ(heat_shade(1.3), "▓");
  EXPECT_EQ(heat_shade(9), "█");
}

TEST(InterferenceReport, MapHasTheSlowDownOfTheRow) {
  const HeatMap map = interference_map(sample_interference());
  EXPECT_EQ(map.cells[0][1], 1.31);  // A beside B
  EXPECT_EQ(map.cells[1][0], 1.05);
  EXPECT_EQ(map.cells[0][0], 1.12);
  EXPECT_FALSE(map.cells[1][1]);
}

// 1.17 stood on the map and 1.314 in the table.
TEST(InterferenceReport, GivesAUnitBesideItselfOneSlowDown) {
  InterferenceResult result = sample_interference();
  result.pairs[0].corun = measured_interference(1.17, 1.314);
  EXPECT_EQ(interference_map(result).cells[0][0], 1.314);
  const TextTable avoid = avoid_table(result);
  EXPECT_EQ(avoid.rows[0].cells.front(), "A beside A");
  EXPECT_EQ(avoid.rows[0].cells[1], "1.314");
  const std::string csv = csv_text(slowdown_table(result));
  EXPECT_THAT(csv, HasSubstr("A,A,1.314,"));
  EXPECT_THAT(csv, Not(HasSubstr("A,A,1.17,")));
}

TEST(InterferenceReport, SaysOfHowManyPairsNoneIsToBeAvoided) {
  InterferenceResult result = sample_interference();
  result.threshold = 2;
  EXPECT_THAT(interference_text(result, 0, {}), HasSubstr("none of the 2 of 3 pairs measured\n"));
  result.pairs[2].corun = measured_interference(1, 1);
  EXPECT_THAT(interference_text(result, 0, {}), HasSubstr("none of 3 pairs\n"));
  MeasuredCorun unknown;
  unknown.reason = "the budget ended before it";
  for (InterferencePair& pair : result.pairs) pair.corun = unknown;
  EXPECT_THAT(interference_text(result, 0, {}),
              HasSubstr("not known: none of 3 pairs was measured\n"));
  EXPECT_THAT(interference_markdown(result), HasSubstr("not known: none of 3 pairs"));
}

TEST(InterferenceReport, MapWithoutPairsHasTheNeighbourAndTheProbe) {
  InterferenceResult result = sample_interference();
  result.has_pairs = false;
  const HeatMap map = interference_map(result);
  EXPECT_EQ(map.columns, std::vector<std::string>{"16 MiB"});
  ASSERT_EQ(map.rows.size(), 3U);
  EXPECT_EQ(map.cells[0][0], 1.2);
  EXPECT_EQ(map.cells[2][0], 1.4);
}

TEST(InterferenceReport, AvoidsTheWorstPairFirst) {
  const TextTable table = avoid_table(sample_interference());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].cells.front(), "A beside B");
  EXPECT_EQ(table.rows[0].cells[1], "1.310");
  EXPECT_EQ(table.rows[0].cells.back(), "yes");
  EXPECT_EQ(table.rows[1].cells.front(), "A beside A");
  EXPECT_EQ(table.rows[1].cells.back(), "no");  // its interval holds the threshold
}

TEST(InterferenceReport, TextSaysWhatWasKeptDroppedAndNotMeasured) {
  const std::string text = interference_text(sample_interference(), 0, {});
  EXPECT_THAT(text, HasSubstr("60 rounds kept, 20 dropped, 7 disturbed turns left out"));
  EXPECT_THAT(text, HasSubstr("1.001 (0.981 to 1.021) and 0.999"));
  EXPECT_THAT(text, HasSubstr("1 co-run without a slow-down; the first: the budget ended"));
  EXPECT_THAT(text, HasSubstr("warning: more rounds were dropped than kept"));
  EXPECT_THAT(interference_markdown(sample_interference()), HasSubstr("| curve | 2 | 2.0 % |"));
}

TEST(InterferenceReport, CsvHasARowASlowDown) {
  const std::string csv = csv_text(slowdown_table(sample_interference()));
  EXPECT_THAT(csv, HasSubstr("A,B,1.31,"));
  EXPECT_THAT(csv, HasSubstr("B,A,1.05,"));
  EXPECT_THAT(csv, HasSubstr("B,B,,,,,,0,0,the budget ended before it"));
  EXPECT_THAT(csv, HasSubstr("probe,A,1.3,"));
  EXPECT_THAT(csv, HasSubstr("probe,16 MiB,1.4,"));
}

TEST(InterferenceReport, SvgIsSafeAgainstNamesOfOperators) {
  const std::string svg = heat_svg(interference_map(sample_interference()));
  EXPECT_THAT(svg, HasSubstr("1.31"));
  EXPECT_THAT(svg, Not(HasSubstr("a<b")));
  EXPECT_THAT(svg, HasSubstr("a?b?c"));
}

}  // namespace
}  // namespace opbench
