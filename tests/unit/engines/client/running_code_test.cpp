#include "engines/client/running_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>

#include "base/files/file.h"
#include "base/numbers/hash.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

/// As if it had been written an hour ago.
void age(const fs::path& file) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST(RunningCode, NamesTheExecutableAndItsLibraries) {
  const fs::path self = fs::read_symlink("/proc/self/exe");
  const auto files = files_of_code(::getpid(), {});
  ASSERT_TRUE(files);
  EXPECT_THAT(*files, Contains(self));
  EXPECT_THAT(*files, Contains(::testing::Truly([](const fs::path& file) {
    return file.filename().string().starts_with("libc.so");
  })));
  const auto others = files_of_code(::getpid(), {self.parent_path()});
  ASSERT_TRUE(others);
  EXPECT_THAT(*others, Not(Contains(self)));
  EXPECT_EQ(files_of_code(0, {}), std::nullopt);
}

TEST(RunningCode, KeepsHashesOfFilesThatStay) {
  const auto folder = TemporaryFolder::make();
  const fs::path kept = folder->path() / "kept", file = folder->path() / "library.so";
  ASSERT_TRUE(write_file(file, "first"));
  EXPECT_EQ(kept_hash(file, kept), sha256("first"));
  EXPECT_FALSE(fs::exists(kept)) << "it may change without a new time";
  age(file);
  EXPECT_EQ(kept_hash(file, kept), sha256("first"));
  ASSERT_EQ(std::distance(fs::directory_iterator(kept), fs::directory_iterator()), 1);
  // What is kept counts as long as the file stays as it is.
  const fs::path entry = fs::directory_iterator(kept)->path();
  std::string text = *read_file(entry);
  text.replace(0, 64, sha256("kept"));
  ASSERT_TRUE(write_file(entry, text));
  EXPECT_EQ(kept_hash(file, kept), sha256("kept"));
  ASSERT_TRUE(write_file(file, "other"));
  age(file);
  EXPECT_EQ(kept_hash(file, kept), sha256("other"));
  ASSERT_TRUE(write_file(entry, "damaged"));
  EXPECT_EQ(kept_hash(file, kept), sha256("other"));
  EXPECT_EQ(kept_hash(folder->path() / "none", kept), std::nullopt);
}

TEST(RunningCode, IsThatOfTheContents) {
  const auto folder = TemporaryFolder::make();
  const fs::path kept = folder->path() / "kept";
  const auto written = [&](const char* name, const char* text) {
    EXPECT_TRUE(write_file(folder->path() / name, text));
    return folder->path() / name;
  };
  const fs::path a = written("a", "1"), b = written("b", "2"), c = written("c", "1");
  EXPECT_EQ(hash_of_files({a, b}, kept), hash_of_files({b, c}, kept));
  EXPECT_NE(hash_of_files({a, b}, kept), hash_of_files({a}, kept));
  EXPECT_EQ(hash_of_files({a, folder->path() / "none"}, kept), std::nullopt);
}

TEST(RunningCode, FindsTheFilesOfACommand) {
  const auto folder = TemporaryFolder::make();
  const fs::path script = folder->path() / "engine.mjs";
  ASSERT_TRUE(write_file(script, "x"));
  EXPECT_THAT(files_among({"node", script.string(), "--fast", "/none/here.txt"}),
              ElementsAre(script));
}

}  // namespace
}  // namespace opbench
