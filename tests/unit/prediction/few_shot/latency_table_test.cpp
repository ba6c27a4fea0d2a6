#include "prediction/few_shot/latency_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

Result<LatencyTable> read(const std::string& text) {
  const auto folder = TemporaryFolder::make();
  EXPECT_TRUE(folder);
  const auto path = folder->path() / "table.csv";
  EXPECT_TRUE(write_file(path, text));
  return read_latency_table(path);
}

TEST(LatencyTable, HasUnitsAndDevices) {
  const auto table = read("architecture,a_1,b\nx, 1.5,2\ny,3,4\r\n");
  ASSERT_TRUE(table) << to_text(table.error());
  EXPECT_THAT(table->units, ElementsAre("x", "y"));
  EXPECT_THAT(table->devices, ElementsAre("a_1", "b"));
  EXPECT_EQ(table->times_ms.at(0, 0), 1.5);
  EXPECT_EQ(table->times_ms.at(1, 1), 4);
  EXPECT_FALSE(has_whole_times(*table, 0));
  EXPECT_TRUE(has_whole_times(*table, 1));
}

TEST(LatencyTable, LeavesOutUnitsWithoutATime) {
  const auto table = read("u,a,b\nx,1,\ny,0,2\nz,1,2\n");
  ASSERT_TRUE(table);
  EXPECT_THAT(table->units, ElementsAre("z"));
  EXPECT_EQ(table->left_out, 2U);
}

TEST(LatencyTable, NamesTheFault) {
  const auto message = [](const std::string& text) {
    const auto table = read(text);
    EXPECT_FALSE(table);
    return table ? std::string() : to_text(table.error());
  };
  EXPECT_THAT(message(""), ::testing::HasSubstr("no line of names"));
  EXPECT_THAT(message("u,a\n"), ::testing::HasSubstr("1 devices; a table has two at least"));
  EXPECT_THAT(message("u,a,a\n"), ::testing::HasSubstr("device \"a\" has two columns"));
  EXPECT_THAT(message("u,a,\n"), ::testing::HasSubstr("column 3 has no name"));
  EXPECT_THAT(message("u,a,b\nx,1\n"), ::testing::HasSubstr("1 values for 2 devices"));
  EXPECT_THAT(message("u,a,b\nx,1,fast\n"),
              ::testing::HasSubstr("\"fast\" is no time in ms on \"b\""));
  EXPECT_THAT(message("u,a,b\nx,1,0\n"), ::testing::HasSubstr("no line with a time"));
  EXPECT_FALSE(read_latency_table("/nonexistent/table.csv"));
}

TEST(DeviceFamily, IsTheNameWithoutItsBatch) {
  EXPECT_EQ(device_family("titanx_32"), "titanx");
  EXPECT_EQ(device_family("titanx_b32"), "titanx");
  EXPECT_EQ(device_family("titanx-batch256"), "titanx");
  EXPECT_EQ(device_family("titan_rtx_1"), "titan_rtx");
  EXPECT_EQ(device_family("1080ti_256"), "1080ti");
}

TEST(DeviceFamily, KeepsNumbersOfTheName) {
  for (const char* name : {"pixel3", "gold_6226", "silver_4114", "samsung_s7", "raspi4", "fpga",
                           "silver_4210r", "_1", "32"}) {
    EXPECT_EQ(device_family(name), name);
  }
}

}  // namespace
}  // namespace opbench
