#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "presentation/report/sweep/sweep_chart.h"
#include "presentation/report/sweep/sweep_table.h"
#include "sample_sweep.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

TEST(SweepTable, HasARowAPoint) {
  const TextTable table = sweep_table(sample_sweep());
  ASSERT_THAT(table.rows, SizeIs(4));
  EXPECT_THAT(table.rows[1].cells, ElementsAre("halide", "8", "2.000", "1.0 %", "0.250", "4.00 ×",
                                               "10.0", "-", "-", "L1"));
  EXPECT_EQ(table.rows[3].cells[2], "failed");
  EXPECT_THAT(table.rows[3].below, ElementsAre("failed: unsupported: no"));
}

TEST(SweepTable, LeavesOutItemsWithoutBatches) {
  SweepResult result = sample_sweep();
  for (SweepPoint& point : result.points) point.batch = 1;
  EXPECT_THAT(sweep_text(result, 0, {}), Not(HasSubstr("an item")));
  result.points[0].time_of = "end to end";
  EXPECT_THAT(sweep_text(result, 0, {}), HasSubstr("as `of` says"));
}

TEST(SweepTable, SaysWhatIsMissing) {
  SweepResult result = sample_sweep();
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
  EXPECT_THAT(sweep_markdown(sample_sweep()), HasSubstr("| halide | 8 | 2.000 |"));
  const std::string csv = sweep_csv(sample_sweep());
  EXPECT_THAT(csv, StartsWith("over_engine,over_batch,engine,version,threads,batch,median_ms,"));
  EXPECT_THAT(csv, HasSubstr("\nonednn,8,onednn,,1,8,,,,,"));
}

TEST(SweepChart, HasASeriesForEachChoiceOfTheOtherKeys) {
  const Chart chart = sweep_chart(sample_sweep());
  EXPECT_EQ(chart.x_label, "batch");
  ASSERT_THAT(chart.series, SizeIs(2));
  EXPECT_EQ(chart.series[0].name, "halide");
  EXPECT_THAT(chart.series[0].points, SizeIs(2));
  EXPECT_THAT(chart.series[1].points, SizeIs(1));
  EXPECT_EQ(chart.series[0].points[1].x, 8);
  EXPECT_THAT(sweep_svg(sample_sweep()), HasSubstr(">onednn<"));
}

TEST(SweepChart, HasCategoriesWhereNoKeyIsANumber) {
  SweepResult result = sample_sweep();
  result.keys[1] = {"cache", {"hot", "cold-all"}, false};
  for (SweepPoint& point : result.points) point.values = point_values(result.keys, point.index);
  const Chart chart = sweep_chart(result);
  EXPECT_THAT(chart.categories, ElementsAre("hot", "cold-all"));
  EXPECT_EQ(chart.series[0].points[1].x, 1);
}

}  // namespace
}  // namespace opbench
