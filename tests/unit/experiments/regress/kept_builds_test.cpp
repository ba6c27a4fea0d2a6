#include "experiments/regress/kept_builds.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/files/file.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

TEST(KeepRule, CountsBuildsAndBytes) {
  EXPECT_EQ(parse_keep_rule("30 builds, 10 GB").value(), (KeepRule{30, 10e9}));
  EXPECT_EQ(parse_keep_rule("1 build").value(), (KeepRule{1, {}}));
  EXPECT_EQ(parse_keep_rule("500MB").value(), (KeepRule{{}, 5e8}));
  for (const char* text : {"", "30", "builds", "30 bulids", "-1 builds", "10 GB of it", ","}) {
    EXPECT_FALSE(parse_keep_rule(text)) << text;
  }
}

class KeptBuilds : public ::testing::Test {
 protected:
  /// A build of 1000 bytes, made so many hours ago.
  void add(const std::string& name, int hours) {
    fs::create_directories(path() / name / "bin");
    ASSERT_TRUE(write_file(path() / name / "bin" / "program", std::string(1000, 'x')));
    ASSERT_TRUE(write_file(path() / (name + ".done"), name));
    fs::last_write_time(path() / (name + ".done"),
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }

  bool has(const std::string& name) const {
    EXPECT_EQ(fs::exists(path() / name), fs::exists(path() / (name + ".done"))) << name;
    return fs::exists(path() / name);
  }

  const fs::path& path() const { return folder_.path(); }

  TemporaryFolder folder_ = std::move(*TemporaryFolder::make());
};

TEST_F(KeptBuilds, AreTheNewest) {
  add("a", 3);
  add("b", 1);
  add("other/c", 2);
  const auto pruned = prune_builds(path(), {.builds = 2});
  ASSERT_TRUE(pruned);
  EXPECT_EQ(pruned->removed, 1);
  EXPECT_EQ(pruned->kept, 2);
  EXPECT_EQ(pruned->freed_bytes, 1000);
  EXPECT_FALSE(has("a"));
  EXPECT_TRUE(has("b"));
  EXPECT_TRUE(has("other/c"));
  ASSERT_TRUE(prune_builds(path(), {.bytes = 1500}));
  EXPECT_TRUE(has("b"));
  EXPECT_FALSE(has("other/c"));
  EXPECT_EQ(prune_builds(path() / "none", {.builds = 0})->removed, 0);
}

TEST_F(KeptBuilds, AreThoseInUseToo) {
  add("a", 3);
  const auto lock = FolderLock::take(path(), "a.lock");
  ASSERT_TRUE(lock);
  EXPECT_EQ(prune_builds(path(), {.builds = 0})->kept, 1);
  EXPECT_TRUE(has("a"));
}

}  // namespace
}  // namespace opbench
