#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "measuring/results/sweep_json.h"
#include "presentation/report/sweep/sweep_chart.h"
#include "presentation/report/sweep/sweep_table.h"
#include "sample_profile.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

/// Two engines at two batch sizes; the last point failed.
SweepResult sample_sweep_report() {
  SweepResult result{.timestamp = "2026-11-21T09:00:00Z", .workload = "relu 1x8"};
  result.target = "llvm";
  result.keys = {{"engine", {"halide", "onednn"}, false}, {"batch", {"1", "8"}}};
  result.total = 4;
  result.environment_json = R"({"machine": {"cpu_model": "A CPU"}})";
  for (size_t i = 0; i < 4; ++i) {
    SweepPoint point{.index = i, .values = point_values(result.keys, i)};
    point.workload = "relu";
    point.engine = point.values[0];
    point.batch = i % 2 == 0 ? 1 : 8;
    point.time = measured(static_cast<double>(i + 1), 0.01);
    point.time_of = "alone";
    point.gflops_per_s = 10;
    point.bound = "L1";
    result.points.push_back(point);
  }
  result.points[3].time.reset();
  result.points[3].time_of = "";
  result.points[3].gflops_per_s.reset();
  result.points[3].failure = "unsupported: no";
  return result;
}

TEST(SweepTable, HasARowAPoint) {
  const TextTable table = sweep_table(sample_sweep_report());
  ASSERT_THAT(table.rows, SizeIs(4));
  EXPECT_THAT(table.rows[1].cells, ElementsAre("halide", "8", "2.000", "1.0 %", "0.250", "4.00 ×",
                                               "10.0", "-", "-", "L1"));
  EXPECT_EQ(table.rows[3].cells[2], "failed");
  EXPECT_THAT(table.rows[3].below, ElementsAre("failed: unsupported: no"));
}

TEST(SweepTable, LeavesOutItemsWithoutBatches) {
  SweepResult result = sample_sweep_report();
  for (SweepPoint& point : result.points) point.batch = 1;
  EXPECT_THAT(sweep_text(result, 0, {}), Not(HasSubstr("an item")));
  result.points[0].time_of = "end to end";
  EXPECT_THAT(sweep_text(result, 0, {}), HasSubstr("as `of` says"));
}

TEST(SweepTable, SaysWhatIsMissing) {
  SweepResult result = sample_sweep_report();
  EXPECT_EQ(sweep_summary(result), "1 of 4 points failed");
  result.points.resize(2);
  result.points[0].is_recorded = true;
  result.points[1].is_interrupted = true;
  const std::string text = sweep_text(result, 0, {});
  EXPECT_THAT(text, HasSubstr("2 of 4 points were not measured"));
  EXPECT_THAT(text, HasSubstr("1 of 4 points are from the file of records"));
  EXPECT_THAT(text, HasSubstr("interrupted: measured in part, not recorded"));
  EXPECT_EQ(sweep_summary(result), "");
}

TEST(SweepTable, IsMarkdownAndCsvToo) {
  EXPECT_THAT(sweep_markdown(sample_sweep_report()), HasSubstr("| halide | 8 | 2.000 |"));
  const std::string csv = sweep_csv(sample_sweep_report());
  EXPECT_THAT(csv, StartsWith("over_engine,over_batch,engine,version,threads,batch,median_ms,"));
  EXPECT_THAT(csv, HasSubstr("\nonednn,8,onednn,,1,8,,,,,"));
}

TEST(SweepJson, HoldsEveryPointWithReasonsForWhatIsMissing) {
  const Json json = sweep_json(sample_sweep_report());
  EXPECT_EQ(json["schema"], "opbench.sweep/1");
  EXPECT_EQ(json["workload"], "relu 1x8");
  EXPECT_FALSE(json.contains("model"));
  EXPECT_EQ(json["over"][1], Json::parse(R"({"key": "batch", "values": [1, 8]})"));
  const Json& good = json["points"][1];
  EXPECT_EQ(good["values"], Json::parse(R"({"engine": "halide", "batch": 8})"));
  EXPECT_EQ(good["time_ms"]["median"], 2.0);
  EXPECT_EQ(good["time_ms"]["samples"], 1);
  EXPECT_EQ(good["speed_up"], 4.0);
  EXPECT_TRUE(good["failure"].is_null());
  const Json& bad = json["points"][3];
  EXPECT_TRUE(bad["time_ms"].is_null());
  EXPECT_EQ(bad["time_ms_reason"], "unsupported: no");
  EXPECT_EQ(bad["failure"], "unsupported: no");
  for (const Json& point : json["points"]) {
    for (const auto& [field, value] : point.items()) {
      if (value.is_null() && field != "failure") {
        EXPECT_TRUE(point.contains(field + "_reason")) << field;
      }
    }
  }
}

TEST(SweepChart, HasASeriesForEachChoiceOfTheOtherKeys) {
  const Chart chart = sweep_chart(sample_sweep_report());
  EXPECT_EQ(chart.x_label, "batch");
  ASSERT_THAT(chart.series, SizeIs(2));
  EXPECT_EQ(chart.series[0].name, "halide");
  EXPECT_THAT(chart.series[0].points, SizeIs(2));
  EXPECT_THAT(chart.series[1].points, SizeIs(1));
  EXPECT_EQ(chart.series[0].points[1].x, 8);
  EXPECT_THAT(sweep_svg(sample_sweep_report()), HasSubstr(">onednn<"));
}

TEST(SweepChart, HasCategoriesWhereNoKeyIsANumber) {
  SweepResult result = sample_sweep_report();
  result.keys[1] = {"cache", {"hot", "cold-all"}, false};
  for (SweepPoint& point : result.points) point.values = point_values(result.keys, point.index);
  const Chart chart = sweep_chart(result);
  EXPECT_THAT(chart.categories, ElementsAre("hot", "cold-all"));
  EXPECT_EQ(chart.series[0].points[1].x, 1);
}

}  // namespace
}  // namespace opbench
