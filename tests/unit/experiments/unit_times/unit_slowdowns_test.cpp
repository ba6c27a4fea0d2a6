#include "experiments/unit_times/unit_slowdowns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// A and B were measured beside each other, B beside itself is a forecast, C is not known.
constexpr const char* kReport = R"({"schema": "opbench.interference/1", "target": "avx2",
  "units": [{"unit": "A", "workload": "relu 4"}, {"unit": "B", "workload": "relu 8"},
            {"unit": "C", "workload": "relu 9"}],
  "pairs": [
    {"first": "A", "second": "B", "slow_down_of_first": {"ratio": 1.3},
     "slow_down_of_second": {"ratio": 0.98},
     "forecasts": {"first": {"curve": 1.5}, "second": {"curve": 1.5}}},
    {"first": "B", "second": "B", "slow_down_of_first": null, "slow_down_of_second": null,
     "forecasts": {"first": {"curve": 1.2}, "second": {"curve": 1.2}}},
    {"first": "C", "second": "A", "slow_down_of_first": null, "slow_down_of_second": null,
     "forecasts": null},
    {"first": "A", "second": "Z", "slow_down_of_first": {"ratio": 9}}]})";

TEST(UnitSlowdowns, TakesMeasuredOnesThenForecasts) {
  const auto slowdowns = parse_unit_slowdowns(kReport, "i.json");
  ASSERT_TRUE(slowdowns) << to_text(slowdowns.error());
  EXPECT_EQ(slowdowns->target, "avx2");
  EXPECT_EQ(slowdowns->measured, 2U);
  const std::map<std::pair<std::string, std::string>, double> expected = {
      {{"relu 4", "relu 8"}, 1.3}, {{"relu 8", "relu 4"}, 1.0}, {{"relu 8", "relu 8"}, 1.2}};
  EXPECT_EQ(slowdowns->ratios, expected);
  EXPECT_DOUBLE_EQ(slowdowns->typical, 1.2);
}

TEST(UnitSlowdowns, TakesTheWorseSideOfAUnitBesideItself) {
  const auto slowdowns = parse_unit_slowdowns(
      R"({"schema": "opbench.interference/1", "units": [{"unit": "A", "workload": "relu 4"}],
          "pairs": [{"first": "A", "second": "A", "slow_down_of_first": {"ratio": 1.17},
                     "slow_down_of_second": {"ratio": 1.314}}]})",
      "i.json");
  ASSERT_TRUE(slowdowns) << to_text(slowdowns.error());
  EXPECT_EQ(slowdowns->ratios.at({"relu 4", "relu 4"}), 1.314);
  EXPECT_EQ(slowdowns->measured, 1U);
}

TEST(UnitSlowdowns, CountsUnknownPairsAsTypical) {
  const UnitSlowdowns slowdowns = parse_unit_slowdowns(kReport, "i.json").value();
  const std::vector<std::string> units = {"relu 4", "exp 3", "relu 8", "relu 8", ""};
  EXPECT_EQ(known_units(slowdowns, units), 3U);
  const PairSlowdown between = slowdown_between(slowdowns, units);
  EXPECT_DOUBLE_EQ(between(0, 2), 1.3);
  EXPECT_DOUBLE_EQ(between(3, 0), 1.0);
  EXPECT_DOUBLE_EQ(between(2, 3), 1.2);
  EXPECT_DOUBLE_EQ(between(0, 0), 1.2) << "relu 4 was not beside itself";
  EXPECT_DOUBLE_EQ(between(1, 0), 1.2);
  EXPECT_DOUBLE_EQ(between(0, 4), 1.2);
}

TEST(UnitSlowdowns, RefusesWhatIsNoReportOfPairs) {
  const auto message = [](const std::string& text) {
    const auto slowdowns = parse_unit_slowdowns(text, "i.json");
    return slowdowns ? "" : to_text(slowdowns.error());
  };
  EXPECT_THAT(message("{"), HasSubstr("i.json"));
  EXPECT_THAT(message("[]"), HasSubstr("\"i.json\" is no report of interference"));
  EXPECT_THAT(message(R"({"schema": "opbench.profile/1"})"), HasSubstr("to make one: opbench"));
  EXPECT_THAT(message(R"({"schema": "opbench.interference/1", "pairs": [3, {"first": 1}]})"),
              HasSubstr("has no slow-down of any pair"));
}

}  // namespace
}  // namespace opbench
