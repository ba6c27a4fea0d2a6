#include "presentation/cli/output/progress_line.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

namespace opbench {
namespace {

using std::chrono::seconds;

const Progress kState{.stage = "measure",
                      .engine = "halide",
                      .item = "conv2d 64x56x56 k3",
                      .done = 37,
                      .total = 112,
                      .time_ms = 0.412,
                      .precision_percent = 0.6,
                      .eta_s = 129.2};

struct Screen {
  std::ostringstream out, err;
  Terminal terminal{.out = out, .err = err};
};

TEST(ProgressLine, SaysWhatIsAtWorkAndHowLongItTakes) {
  EXPECT_EQ(progress_text(kState),
            "[ 37/112] measure halide conv2d 64x56x56 k3  0.412 ms ±0.6 %  ETA 2m10s");
  EXPECT_EQ(progress_text({.stage = "read"}), "read");
}

TEST(ProgressLine, WritesAPlainLineEveryTenSeconds) {
  Screen screen;
  ProgressLine line(screen.terminal);
  const ProgressLine::Clock::time_point start{};
  for (int second = 0; second <= 25; ++second)
    line.show({.stage = "read"}, start + seconds(second));
  EXPECT_EQ(screen.err.str(), "read\nread\n");
  EXPECT_EQ(screen.out.str(), "");
}

TEST(ProgressLine, RedrawsOneLineOnATerminalAndRemovesIt) {
  Screen screen;
  screen.terminal.is_err_tty = true;
  screen.terminal.err_width = 10;
  {
    ProgressLine line(screen.terminal);
    line.show(kState, ProgressLine::Clock::time_point{});
  }
  EXPECT_EQ(screen.err.str(), "\r\033[K[ 37/112…\r\033[K");
}

TEST(ProgressLine, IsSilentWhenQuiet) {
  Screen screen;
  screen.terminal.is_err_tty = screen.terminal.is_quiet = true;
  ProgressLine line(screen.terminal);
  line.show(kState);
  line.clear();
  EXPECT_EQ(screen.err.str(), "");
}

TEST(ProgressLine, IsSilentWhereTheEnvironmentSaysNever) {
  Screen screen;
  screen.terminal.is_err_tty = true;
  ProgressLine line(screen.terminal);
  ::setenv("OPBENCH_PROGRESS", "never", 1);
  line.show(kState);
  EXPECT_EQ(screen.err.str(), "");
  ::setenv("OPBENCH_PROGRESS", "auto", 1);
  line.show(kState);
  EXPECT_NE(screen.err.str(), "");
  ::unsetenv("OPBENCH_PROGRESS");
}

}  // namespace
}  // namespace opbench
