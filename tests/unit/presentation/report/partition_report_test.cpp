#include "presentation/report/partition/partition_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

using ::testing::HasSubstr;

PartitionResult sample_partition_report() {
  PartitionResult result;
  result.grid = {
      .workload = "conv2d 1x8x6x6 w:40x8x1x1",
      .channels = 40,
      .part_channels = 16,
      .parts = 3,
      .first = {"cpu0", "llvm", {"direct", "direct", "winograd"}, {1, 2, 3}, {0.1, 0.1, 0.1}},
      .second = {"cpu1:avx2", "llvm -mcpu=core-avx2", {"", "", ""}, {1, 3, 5}, {0.1, 0.1, 0.1}},
      .join_ms = 0.5,
      .join_source = "a wish"};
  result.grid.control = TimeRatio{1.01, 0.99, 1.04};
  result.grid.noise = "shared machine";
  result.study = study_partition(result.grid, {}).value();
  result.warnings = {"beware"};
  return result;
}

TEST(PartitionReport, ListsEverySplit) {
  EXPECT_EQ(csv_text(split_table(sample_partition_report())),
            "first parts,second parts,first channels,second channels,cpu0,cpu1:avx2,both,over "
            "best\n"
            "0,3,0,40,-,5.000,5.000,100.0\n"
            "1,2,16,24,1.000,3.000,3.500,40.0\n"
            "2,1,32,8,2.000,1.000,2.500,0.0\n"
            "3,0,40,0,3.000,-,3.000,20.0\n");
}

TEST(PartitionReport, SaysWhatIsMeasuredAndWhatSimulated) {
  const std::string text = partition_text(sample_partition_report(), 0, {});
  EXPECT_THAT(text,
              HasSubstr("best      2 + 1 parts, 2.500 ms: 1.200 × the faster device alone ("));
  EXPECT_THAT(text,
              HasSubstr("control   cpu0 beside itself: 1.010 × (0.990 to 1.040); within 4.0 % "));
  EXPECT_THAT(text, HasSubstr("noise     shared machine"));
  EXPECT_THAT(text, HasSubstr("alone     cpu1:avx2 takes 1.667 × the time of cpu0 ("));
  EXPECT_THAT(text, HasSubstr("join      0.500 ms, modelled: a wish"));
  EXPECT_THAT(
      text,
      HasSubstr("cpu0: llvm; winograd; direct for 1, 2 parts; times measured alone, in turns"));
  EXPECT_THAT(text, HasSubstr("no schedule, the reference"));
  EXPECT_THAT(text, HasSubstr("self-scheduling, simulated"));
  EXPECT_THAT(text, HasSubstr("simulated from the measured times: cpu1:avx2 takes 2 × as long from "
                              "round 6 on"));
  EXPECT_THAT(text, HasSubstr("of 6 times"));
  EXPECT_THAT(text, HasSubstr("warning: beware"));
}

TEST(PartitionReport, HasAllOfItAsJson) {
  const Json json = partition_json(sample_partition_report());
  EXPECT_EQ(json.at("schema"), "opbench.partition/1");
  EXPECT_EQ(json.at("grid").size(), 4u);
  EXPECT_EQ(json.at("best").at("first_parts"), 2);
  EXPECT_EQ(json.at("devices").at(1).at("times_ms").at(2), 5.0);
  EXPECT_EQ(json.at("devices").at(0).at("schedule"), "winograd");
  EXPECT_EQ(json.at("devices").at(0).at("schedules").at(0), "direct");
  EXPECT_EQ(json.at("balancer").at("kind"), "simulated");
  EXPECT_EQ(json.at("balancer").at("rounds").size(), 15u);
  EXPECT_EQ(json.at("join").at("kind"), "modelled");
  EXPECT_EQ(json.at("control").at("high"), 1.04);
  EXPECT_EQ(json.at("second_over_first").at("verdict"), "slower");
  EXPECT_EQ(json.at("speedup").at("verdict"), "faster");
}

}  // namespace
}  // namespace opbench
