#include "base/files/file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// A place of its own for folders.
class TemporaryFolders : public testing::Test {
 protected:
  TemporaryFolders() : place_(TemporaryFolder::make_in(testing::TempDir()).value()) {}

  size_t count() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(place_.path()), {}));
  }

  TemporaryFolder place_;
};

TEST_F(TemporaryFolders, GoWithTheirContent) {
  fs::path path;
  {
    const auto folder = TemporaryFolder::make_in(place_.path());
    ASSERT_TRUE(folder);
    path = folder->path();
    ASSERT_TRUE(write_file(path / "x", "y"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolders, MayHoldFurtherFoldersThatCanBeWritten) {
  EXPECT_TRUE(make_writable_folder(place_.path() / "a" / "b"));
  EXPECT_TRUE(make_writable_folder(place_.path() / "a" / "b"));
  ASSERT_TRUE(write_file(place_.path() / "file", ""));
  const auto refused = make_writable_folder(place_.path() / "file" / "x");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("file/x\" cannot be written: Not a directory"),
            std::string::npos)
      << refused.error().message;
}

TEST_F(TemporaryFolders, InUseAreLeftAlone) {
  std::optional<TemporaryFolder> folder = TemporaryFolder::make_in(place_.path()).value();
  TemporaryFolder::remove_abandoned(place_.path());
  EXPECT_TRUE(fs::exists(folder->path()));
  const TemporaryFolder moved = std::move(*folder);
  folder.reset();
  TemporaryFolder::remove_abandoned(place_.path());
  EXPECT_TRUE(fs::exists(moved.path()));
}

TEST_F(TemporaryFolders, OfAKilledProgramAreRemoved) {
  const pid_t child = fork();
  if (child == 0) {
    const auto folder = TemporaryFolder::make_in(place_.path());
    std::ofstream(folder->path() / "left.bin") << "x";
    _exit(0);  // without destructors
  }
  ASSERT_GT(child, 0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ASSERT_EQ(count(), 1U);
  TemporaryFolder::remove_abandoned(place_.path());
  EXPECT_EQ(count(), 0U);
}

TEST_F(TemporaryFolders, OfOthersAreLeftAlone) {
  fs::create_directory(place_.path() / "opbench-something");
  std::ofstream(place_.path() / "opbench-run-1-file") << "x";
  fs::create_directory_symlink("/usr", place_.path() / "opbench-run-1-link");
  TemporaryFolder::remove_abandoned(place_.path());
  EXPECT_EQ(count(), 3U);
  EXPECT_TRUE(fs::exists("/usr/bin"));
}

TEST(TemporaryFolder, NeedsAPlaceThatCanBeWritten) {
  const auto folder = TemporaryFolder::make_in("/no/such/place");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::kSystem);
}

}  // namespace
}  // namespace opbench
