#include "presentation/cli/output/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"

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

FileArgument written(const std::string& argument, const std::filesystem::path& path) {
  return {argument, path.string(), FileUse::kWritten};
}

TEST(OutputFile, MustNotBeTwoOutputs) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::filesystem::path file = folder.path() / "f", link = folder.path() / "link";
  std::filesystem::create_symlink("f", link);
  const auto is_taken = [&](const std::filesystem::path& other) {
    return check_outputs({written("--output", file), written("--record", other)}).has_value();
  };
  const auto check_all = [&] {
    EXPECT_FALSE(is_taken(file));
    EXPECT_FALSE(is_taken(folder.path() / "." / "f"));
    EXPECT_FALSE(is_taken(link));
    EXPECT_TRUE(is_taken(folder.path() / "g"));
  };
  check_all();
  ASSERT_TRUE(write_file(file, "there now"));
  check_all();
  std::filesystem::create_hard_link(file, folder.path() / "hard");
  EXPECT_FALSE(is_taken(folder.path() / "hard"));
  EXPECT_EQ(to_text(check_outputs({written("--output", "f"), written("--record", "./f")}).error()),
            "error: --output and --record name the same file \"f\"\n  --record: ./f\n");
  EXPECT_TRUE(check_outputs({written("--output", "/dev/null"), written("--record", "/dev/null")}));
}

TEST(OutputFile, MustNotBeAnInput) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string file = (folder.path() / "f").string();
  ASSERT_TRUE(write_file(file, "text"));
  for (const std::string& input : {file, "x=" + file, "@" + file, file + ":3"}) {
    const auto checked =
        check_outputs({written("--output", file), {"MODEL", input, FileUse::kRead}});
    ASSERT_FALSE(checked) << input;
    EXPECT_EQ(checked.error().message, "--output would overwrite what is read, \"" + file + "\"");
  }
  EXPECT_TRUE(check_outputs({written("--output", file), {"MODEL", "resnet-18", FileUse::kRead}}));
}

TEST(OutputFile, WritesIntoDevicesWithoutReplacingThem) {
  EXPECT_TRUE(check_writable("/dev/null", "--output"));
  EXPECT_TRUE(write_output("/dev/null", "text"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(write_output("/dev/full", "text").error().code, ErrorCode::kSystem);
}

}  // namespace
}  // namespace opbench
