#include "opbench/cli/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "opbench/base/file.h"

namespace opbench {
namespace {

TEST(OutputFile, IsTriedWithoutChangingAnything) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string file = (folder.path() / "report").string();
  EXPECT_TRUE(check_writable(file, "--output"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  ASSERT_TRUE(write_output(file, "old"));
  EXPECT_TRUE(check_writable(file, "--output"));
  EXPECT_EQ(read_file(file).value(), "old");
}

TEST(OutputFile, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string inside = (folder.path() / "no" / "report").string();
  EXPECT_EQ(to_text(check_writable(inside, "--output").error()),
            "error: cannot write \"" + inside +
                "\"\n  reason: No such file or directory\n  for: --output\n");
  EXPECT_EQ(to_text(check_writable(folder.path().string(), "--record").error()),
            "error: cannot write \"" + folder.path().string() +
                "\"\n  reason: it is a folder\n  for: --record\n");
}

TEST(OutputFile, WritesIntoDevicesWithoutReplacingThem) {
  EXPECT_TRUE(check_writable("/dev/null", "--output"));
  EXPECT_TRUE(write_output("/dev/null", "text"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_FALSE(write_output("/dev/full", "text"));
}

}  // namespace
}  // namespace opbench
