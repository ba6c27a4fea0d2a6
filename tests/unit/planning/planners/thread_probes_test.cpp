#include "planning/planners/thread_probes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace opbench {
namespace {

TEST(ThreadProbes, FindTheMinimumOfASmoothCurve) {
  const auto time = [](int n) { return 100.0 / n + 0.25 * n; };  // best at 20
  const ThreadChoice choice = probe_threads(time, 64, 8);
  EXPECT_LE(choice.probes.size(), 8U);
  EXPECT_LE(time(choice.threads) / time(20), 1.03);
}

TEST(ThreadProbes, ClimbOverOneStepOfAStaircase) {
  const auto time = [](int n) { return n == 4 ? 60.0 : 100.0 / n; };
  EXPECT_EQ(probe_threads(time, 64, 8).threads, 64);
}

TEST(ThreadProbes, StayWithinThreadsAndProbes) {
  for (int most = 1; most <= 70; ++most) {
    for (int probes = 2; probes <= 8; ++probes) {
      int calls = 0;
      const ThreadChoice choice = probe_threads(
          [&](int n) {
            ++calls;
            EXPECT_GE(n, 1);
            EXPECT_LE(n, most);
            return std::abs(n - 11.0) + 1;
          },
          most, probes);
      EXPECT_LE(calls, probes);
      EXPECT_EQ(static_cast<int>(choice.probes.size()), calls);
    }
  }
}

}  // namespace
}  // namespace opbench
