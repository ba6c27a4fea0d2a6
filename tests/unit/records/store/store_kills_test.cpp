#include "store_kills.h"

#include <gmock/gmock.h>

#include "base/files/file.h"

namespace opbench {
namespace {

TEST(StoreKills, LeaveEveryAcknowledgedBatchOnceAndWhole) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const KillTrialResult result = run_kill_trial(
      {.program = OPBENCH_BINARY_DIR "/opbench", .folder = folder.path(), .kills = 40});
  EXPECT_GE(result.kills, 40);  // the last turn kills all that still run
  EXPECT_GT(result.acknowledged, 0);
  EXPECT_EQ(result.lost, 0);
  EXPECT_EQ(result.doubled, 0);
  EXPECT_EQ(result.partial, 0);
  EXPECT_EQ(result.wrong_reads, 0);
  EXPECT_THAT(result.failures, testing::IsEmpty());
}

}  // namespace
}  // namespace opbench
