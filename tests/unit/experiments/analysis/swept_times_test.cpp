#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/analysis/read_sweep.h"
#include "written_file.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SweptTimes read(const std::string& text) {
  return read_swept_times(WrittenFile(text).path(), "").value();
}

Error refused(const std::string& text, const std::string& time = "") {
  const auto times = read_swept_times(WrittenFile(text).path(), time);
  EXPECT_FALSE(times);
  return times ? Error{} : times.error();
}

TEST(SweptTimes, ReadColumnsOfText) {
  const SweptTimes times = read("tvm_num_threads total_time\n1 20.5\n2 11\n\n# note\n4 6.5\n");
  ASSERT_EQ(times.keys.size(), 1U);
  EXPECT_EQ(times.keys[0].name, "tvm_num_threads");
  EXPECT_THAT(times.keys[0].numbers, ElementsAre(1, 2, 4));
  EXPECT_THAT(times.times, ElementsAre(20.5, 11, 6.5));
  EXPECT_EQ(times.time_name, "total_time");
  EXPECT_EQ(times.unit, "");
}

TEST(SweptTimes, ReadCsvWithQuotesAndRowsWithoutATime) {
  const SweptTimes times =
      read("engine,tile,latency_us\r\n\"a, \"\"b\"\"\",8,3.5\r\nhalide,16,\r\nhalide,32,nan\r\n");
  EXPECT_EQ(times.keys[0].texts.front(), "a, \"b\"");
  EXPECT_FALSE(times.keys[0].is_numeric());
  EXPECT_THAT(times.times, ElementsAre(3.5));
  EXPECT_EQ(times.without_time, 2U);
  EXPECT_EQ(times.unit, "us");
}

TEST(SweptTimes, TakeTheKeysOfOurCsvOnly) {
  const SweptTimes times = read(
      "over_threads,input.1,engine,threads,median_ms,low_ms,time_of\n1,64,halide,1,4,3,alone\n"
      "2,64,halide,2,2.5,2,alone\n");
  ASSERT_EQ(times.keys.size(), 2U);
  EXPECT_EQ(times.keys[0].name, "threads");
  EXPECT_EQ(times.keys[1].name, "input.1");
  EXPECT_THAT(times.times, ElementsAre(4, 2.5));
  EXPECT_EQ(times.unit, "ms");
}

TEST(SweptTimes, ReadTheJsonOfASweep) {
  const SweptTimes times = read(R"({"schema": "opbench.sweep/1", "model": "bert",
    "over": [{"key": "threads", "values": [1, 2, 4]}],
    "points": [{"values": {"threads": 1}, "time_ms": {"median": 9.5}, "failure": null},
               {"values": {"threads": 2}, "time_ms": null, "failure": "no"},
               {"values": {"threads": 4}, "time_ms": {"median": 3}, "failure": null}]})");
  EXPECT_EQ(times.subject, "bert");
  EXPECT_THAT(times.keys[0].numbers, ElementsAre(1, 4));
  EXPECT_THAT(times.times, ElementsAre(9.5, 3));
  EXPECT_EQ(times.without_time, 1U);
}

TEST(SweptTimes, FindAColumnByAPartOfItsName) {
  const SweptTimes times = read("max_num_threads thread_warp_size time\n1 2 3\n2 3 4\n");
  EXPECT_EQ(column_named(times, "threads").value(), 0U);
  EXPECT_EQ(column_named(times, "thread_warp_size").value(), 1U);
  EXPECT_FALSE(column_named(times, "read"));
  EXPECT_FALSE(column_named(times, "batch"));
}

TEST(SweptTimes, SayWhatIsWrong) {
  EXPECT_THAT(refused("").message, HasSubstr("is empty"));
  EXPECT_THAT(refused("a b\n1 2\n").message, HasSubstr("has no column of times"));
  EXPECT_THAT(refused("a time\n1 2\n1 2 3\n").message, HasSubstr("a line has 3 cells"));
  EXPECT_THAT(refused("a time\n1 -2\n").message, HasSubstr("has no row with a time"));
  EXPECT_THAT(refused("a time\n1 2\n", "tme").message,
              HasSubstr("unknown column of times \"tme\""));
  EXPECT_THAT(refused(R"({"schema": "opbench.profile/1", "points": []})").message,
              HasSubstr("has the schema \"opbench.profile/1\""));
  EXPECT_THAT(
      refused(R"({"schema": "opbench.sweep/1", "over": [{"key": "t"}], "points": [{}]})").message,
      HasSubstr("has a point without values"));
  EXPECT_EQ(read_swept_times("/nowhere/sweep.txt", "").error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace opbench
