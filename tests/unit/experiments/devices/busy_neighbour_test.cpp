#include "experiments/devices/busy_neighbour.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

namespace opbench {
namespace {

TEST(BusyNeighbour, LivesAsLongAsItsOwner) {
  pid_t process = -1;
  {
    auto neighbour = BusyNeighbour::start(sched_getcpu());
    ASSERT_TRUE(neighbour) << to_text(neighbour.error());
    process = neighbour->process();
    const BusyNeighbour moved = std::move(*neighbour);
    EXPECT_EQ(kill(process, 0), 0);
  }
  EXPECT_NE(kill(process, 0), 0);
}

TEST(BusyNeighbour, RestsWhileItIsPaused) {
  const auto neighbour = BusyNeighbour::start(sched_getcpu());
  ASSERT_TRUE(neighbour) << to_text(neighbour.error());
  neighbour->pause();
  int status = 0;
  ASSERT_EQ(waitpid(neighbour->process(), &status, WUNTRACED), neighbour->process());
  EXPECT_TRUE(WIFSTOPPED(status));
  neighbour->resume();
  ASSERT_EQ(waitpid(neighbour->process(), &status, WCONTINUED), neighbour->process());
  EXPECT_TRUE(WIFCONTINUED(status));
}

TEST(BusyNeighbour, IsRefusedOnACpuThatIsNotThere) {
  EXPECT_FALSE(BusyNeighbour::start(100000));
  EXPECT_FALSE(BusyNeighbour::start(-1));
}

}  // namespace
}  // namespace opbench
