#include "engines/runtime/extra_work.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace opbench {
namespace {

/// A machine on which a kernel takes `kernel_s` and a step of extra work 2 ns, except that every
/// third reading of the clock comes late.
class FakeMachine {
 public:
  explicit FakeMachine(double kernel_s) : kernel_s_(kernel_s) {}

  int64_t calibrate(double share) {
    return calibrate_extra_work(
        share, [this] { time_s_ += kernel_s_; },
        [this](int64_t steps) { time_s_ += 10e-9 + 2e-9 * static_cast<double>(steps); },
        [this] {
          time_s_ += ++readings_ % 3 == 0 ? 5e-3 : 20e-9;
          return time_s_;
        });
  }

  double time_s() const { return time_s_; }

 private:
  double kernel_s_;
  double time_s_ = 0;
  int64_t readings_ = 0;
};

TEST(ExtraWork, IsTheShareOfTheShortestTimes) {
  for (const double kernel_s : {2e-6, 50e-6, 1e-3, 30e-3}) {
    for (const double share : {0.03, 0.5, 10.0}) {
      const int64_t steps = FakeMachine(kernel_s).calibrate(share);
      const double work_s = 10e-9 + 2e-9 * static_cast<double>(steps);
      const double wanted_s = share * kernel_s;
      EXPECT_NEAR(work_s, wanted_s, std::max(4e-9, 0.02 * wanted_s)) << kernel_s << " " << share;
    }
  }
}

TEST(ExtraWork, IsAtLeastOneStep) { EXPECT_EQ(FakeMachine(1e-9).calibrate(0.01), 1); }

TEST(ExtraWork, IsCalibratedInLimitedTime) {
  FakeMachine machine(0.1);
  machine.calibrate(0.03);
  EXPECT_LT(machine.time_s(), 2);
}

TEST(ExtraWork, DependsOnTheNumberOfSteps) {
  EXPECT_EQ(work_extra(0), 1U);
  EXPECT_EQ(work_extra(1), 7806831264735756412U);
  EXPECT_NE(work_extra(2), work_extra(3));
}

TEST(SlowShare, IsReadFromPercent) {
  EXPECT_DOUBLE_EQ(slow_share("slow-3"), 0.03);
  EXPECT_DOUBLE_EQ(slow_share("slow-2.5"), 0.025);
  EXPECT_DOUBLE_EQ(slow_share("slow-1000"), 10);
  for (const char* word : {"slow", "slow-", "slow-0.9", "slow-1001", "slow-3x", "slow-nan", "3"}) {
    EXPECT_EQ(slow_share(word), 0) << word;
  }
}

}  // namespace
}  // namespace opbench
