#include "watch_kills.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "test_form.h"

namespace opbench {
namespace {

using ::testing::IsEmpty;

TEST(WatchKills, BisectionsGoOn) {
  const auto folder = TemporaryFolder::make_in(testing::TempDir());
  const WatchKillResult result =
      run_bisect_kills({.program = OPBENCH_BINARY_DIR "/opbench",
                        .engine = OPBENCH_TEST_FIXTURES "/../cli/scripted_engine.mjs",
                        .folder = folder->path(),
                        .kills = by_form(4, 50)});
  EXPECT_THAT(result.failures, IsEmpty());
  EXPECT_EQ(result.kills, by_form(4, 50));
  EXPECT_EQ(result.lost, 0);
  EXPECT_TRUE(result.is_right) << result.answer;
}

TEST(WatchKills, NightsGoOn) {
  const auto folder = TemporaryFolder::make_in(testing::TempDir());
  const WatchKillResult result =
      run_night_kills({.program = OPBENCH_BINARY_DIR "/opbench",
                       .engine = OPBENCH_TEST_FIXTURES "/../cli/scripted_engine.mjs",
                       .folder = folder->path(),
                       .kills = by_form(4, 50)});
  EXPECT_THAT(result.failures, IsEmpty());
  EXPECT_GE(result.kills, by_form(4, 50));
  EXPECT_EQ(result.lost, 0);
  EXPECT_EQ(result.doubled, 0);
  EXPECT_TRUE(result.is_right) << result.answer;
}

}  // namespace
}  // namespace opbench
