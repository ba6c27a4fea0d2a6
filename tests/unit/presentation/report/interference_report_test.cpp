#include "presentation/report/interference/interference_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

MeasuredCorun measured_interference(double first, double second) {
  MeasuredCorun corun;
  corun.slowdowns = {Slowdown{first, {first - 0.02, first + 0.02}, 12},
                     Slowdown{second, {second - 0.02, second + 0.02}, 12}};
  corun.solo_ms = {1, 2};
  corun.kept = 12;
  corun.dropped = {{"preempted", 3}, {"late", 1}};
  return corun;
}

InterferenceResult sample_result() {
  InterferenceResult result;
  result.timestamp = "2026-11-25T12:00:00Z";
  result.models = {"net"};
  result.target = "llvm";
  result.cpus = {0, 1};
  result.control = measured_interference(1.001, 0.999);
  result.units = {{.key = "A",
                   .subject = "net",
                   .identity = {.operator_text = "conv2d", .texts = {.shapes = "64x56x56"}},
                   .in_model_ms = 1.5,
                   .share = 0.5,
                   .alone_ms = 1.4},
                  {.key = "B",
                   .subject = "net",
                   .identity = {.operator_text = "a<b&c", .texts = {.shapes = "7"}},
                   .in_model_ms = 0.5,
                   .share = 0.25,
                   .alone_ms = 0.4}};
  result.levels = {{"16 MiB", 16 << 20, 1, true, measured_interference(1.4, 1.4)}};
  result.beside = {{measured_interference(1.2, 1.3)}, {measured_interference(1.0, 1.1)}};
  MeasuredCorun unknown;
  unknown.reason = "the budget ended before it";
  result.pairs = {
      {0, 0, measured_interference(1.12, 1.11), {}},
      {0, 1, measured_interference(1.31, 1.05), std::array{PairForecast{1.3}, PairForecast{1.0}}},
      {1, 1, unknown, {}}};
  result.errors = {{.method = "curve", .pairs = 2, .mean_error = 0.02, .hits = 1}};
  result.kept = 60;
  result.dropped = 20;
  result.disturbed_turns = 7;
  result.judged = 2;
  result.warnings = {"more rounds were dropped than kept"};
  return result;
}

TEST(InterferenceReport, ShadesFollowTheSteps) {
  EXPECT_EQ(heat_shade(0.97), "·");
  EXPECT_EQ(heat_shade(1.019), "·");
  EXPECT_EQ(heat_shade(1.02), "░");
  EXPECT_EQ(heat_shade(1.1), "▒");
  EXPECT_EQ(heat_shade(1.3), "▓");
  EXPECT_EQ(heat_shade(9), "█");
}

TEST(InterferenceReport, MapHasTheSlowDownOfTheRow) {
  const HeatMap map = interference_map(sample_result());
  EXPECT_EQ(map.cells[0][1], 1.31);  // A beside B
  EXPECT_EQ(map.cells[1][0], 1.05);
  EXPECT_EQ(map.cells[0][0], 1.12);
  EXPECT_FALSE(map.cells[1][1]);
}

// 1.17 stood on the map and 1.314 in the table.
TEST(InterferenceReport, GivesAUnitBesideItselfOneSlowDown) {
  InterferenceResult result = sample_result();
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
  InterferenceResult result = sample_result();
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
  InterferenceResult result = sample_result();
  result.has_pairs = false;
  const HeatMap map = interference_map(result);
  EXPECT_EQ(map.columns, std::vector<std::string>{"16 MiB"});
  ASSERT_EQ(map.rows.size(), 3U);
  EXPECT_EQ(map.cells[0][0], 1.2);
  EXPECT_EQ(map.cells[2][0], 1.4);
}

TEST(InterferenceReport, AvoidsTheWorstPairFirst) {
  const TextTable table = avoid_table(sample_result());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].cells.front(), "A beside B");
  EXPECT_EQ(table.rows[0].cells[1], "1.310");
  EXPECT_EQ(table.rows[0].cells.back(), "yes");
  EXPECT_EQ(table.rows[1].cells.front(), "A beside A");
  EXPECT_EQ(table.rows[1].cells.back(), "no");  // its interval holds the threshold
}

TEST(InterferenceReport, TextSaysWhatWasKeptDroppedAndNotMeasured) {
  const std::string text = interference_text(sample_result(), 0, {});
  EXPECT_THAT(text, HasSubstr("60 rounds kept, 20 dropped, 7 disturbed turns left out"));
  EXPECT_THAT(text, HasSubstr("1.001 (0.981 to 1.021) and 0.999"));
  EXPECT_THAT(text, HasSubstr("1 co-run without a slow-down; the first: the budget ended"));
  EXPECT_THAT(text, HasSubstr("warning: more rounds were dropped than kept"));
  EXPECT_THAT(interference_markdown(sample_result()), HasSubstr("| curve | 2 | 2.0 % |"));
}

TEST(InterferenceReport, CsvHasARowASlowDown) {
  const std::string csv = csv_text(slowdown_table(sample_result()));
  EXPECT_THAT(csv, HasSubstr("A,B,1.31,"));
  EXPECT_THAT(csv, HasSubstr("B,A,1.05,"));
  EXPECT_THAT(csv, HasSubstr("B,B,,,,,,0,0,the budget ended before it"));
  EXPECT_THAT(csv, HasSubstr("probe,A,1.3,"));
  EXPECT_THAT(csv, HasSubstr("probe,16 MiB,1.4,"));
}

TEST(InterferenceReport, JsonHasPairsForecastsAndReasons) {
  const Json json = interference_json(sample_result());
  EXPECT_EQ(json.at("schema"), "opbench.interference/1");
  EXPECT_EQ(json.at("pairs")[1].at("slow_down_of_first").at("ratio"), 1.31);
  EXPECT_EQ(json.at("pairs")[1].at("rounds_dropped").at("preempted"), 3);
  EXPECT_TRUE(json.at("pairs")[2].at("slow_down_of_first").is_null());
  EXPECT_EQ(json.at("pairs")[2].at("slow_down_reason"), "the budget ended before it");
  EXPECT_TRUE(json.at("pairs")[2].at("forecasts").is_null());
  EXPECT_EQ(json.at("units")[0].at("pressure").at("ratio"), 1.3);
  EXPECT_EQ(json.at("forecasts")[0].at("method"), "curve");
  InterferenceResult result = sample_result();
  result.has_pairs = false;
  EXPECT_FALSE(interference_json(result).contains("pairs"));
}

TEST(InterferenceReport, SvgIsSafeAgainstNamesOfOperators) {
  const std::string svg = heat_svg(interference_map(sample_result()));
  EXPECT_THAT(svg, HasSubstr("1.31"));
  EXPECT_THAT(svg, Not(HasSubstr("a<b")));
  EXPECT_THAT(svg, HasSubstr("a?b?c"));
}

}  // namespace
}  // namespace opbench
