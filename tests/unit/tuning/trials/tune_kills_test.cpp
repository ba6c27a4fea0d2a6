#include "tune_kills.h"

#include <gmock/gmock.h>

#include "base/files/file.h"

namespace opbench {
namespace {

TEST(TuneKills, LeaveEveryTrialInTheLogOnce) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  ASSERT_EQ(::setenv("OPBENCH_STORE", "none", 1), 0);
  const TuneKillResult result = run_tune_kills(
      {.program = OPBENCH_BINARY_DIR "/opbench", .folder = folder.path(), .kills = 8});
  EXPECT_EQ(result.kills, 8);
  EXPECT_GT(result.trials, 0);
  EXPECT_EQ(result.lost, 0);
  EXPECT_EQ(result.doubled, 0);
  EXPECT_EQ(result.unreadable, 0);
  EXPECT_THAT(result.failures, testing::IsEmpty());
}

}  // namespace
}  // namespace opbench
