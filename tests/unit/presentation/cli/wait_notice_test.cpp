#include "presentation/cli/waits/wait_notice.h"

#include <gtest/gtest.h>

#include <sstream>

namespace opbench {
namespace {

using std::chrono::seconds;

struct WaitScreen {
  std::ostringstream out, err;
  Terminal terminal{.out = out, .err = err};
  ProgressLine line{terminal};
};

TEST(WaitText, SaysWhatPreparingAndMeasuringTake) {
  PreparationEstimate estimate{.kernel_s = 0.5, .other_s = 3.4, .kernels = 37};
  EXPECT_EQ(wait_text(estimate, 20),
            "preparing takes about 22 s (37 kernels to compile), measuring then at most 20 s");
  estimate.kernels = 0;
  EXPECT_EQ(wait_text(estimate, 0), "preparing takes about 4 s");
}

TEST(WaitNotice, SaysItBeforeAnythingStarts) {
  WaitScreen screen;
  const WaitNotice notice(screen.line, {.other_s = 2}, 5);
  EXPECT_EQ(screen.err.str(), "preparing takes about 2 s, measuring then at most 5 s\n");
  screen.terminal.is_quiet = true;
  screen.err.str("");
  const WaitNotice quiet(screen.line, {.other_s = 2}, 5);
  EXPECT_EQ(screen.err.str(), "");
}

TEST(WaitNotice, TellsCompilingFromTheRestAndEndsWithTimedCalls) {
  WaitScreen screen;
  const WaitNotice::Clock::time_point start{};
  WaitNotice notice(screen.line, {.kernel_s = 1, .other_s = 2, .kernels = 3}, 5, start);
  notice.show({.stage = "read"}, start + seconds(1));
  for (const int second : {3, 4, 5}) notice.show({.stage = "build"}, start + seconds(second));
  notice.show({.stage = "check"}, start + seconds(6));
  EXPECT_FALSE(notice.spent());
  notice.show({.stage = "profile"}, start + seconds(8));
  ASSERT_TRUE(notice.spent());
  EXPECT_DOUBLE_EQ(notice.spent()->seconds, 8);
  EXPECT_DOUBLE_EQ(notice.spent()->compile_s, 3) << "three kernels, one a second";
  notice.show({.stage = "measure"}, start + seconds(20));
  EXPECT_DOUBLE_EQ(notice.spent()->seconds, 8);
}

TEST(WaitNotice, AddsWhatIsPreparedBetweenTimedCalls) {
  WaitScreen screen;
  const WaitNotice::Clock::time_point start{};
  WaitNotice notice(screen.line, {.other_s = 10}, 5, start);
  notice.show({.stage = "measure"}, start + seconds(2));
  notice.show({.stage = "check"}, start + seconds(5));
  EXPECT_DOUBLE_EQ(notice.spent()->seconds, 2);
  notice.show({.stage = "measure"}, start + seconds(9));
  EXPECT_DOUBLE_EQ(notice.spent()->seconds, 6);
  notice.show({.stage = "check"}, start + seconds(10));
  EXPECT_DOUBLE_EQ(notice.spent()->seconds, 6) << "what follows the last timed call";
}

}  // namespace
}  // namespace opbench
