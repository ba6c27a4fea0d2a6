#include "measuring/sampling/first_touch.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(FirstTouch, NothingTakesNoTime) { EXPECT_EQ(first_touch_s(0), 0); }

TEST(FirstTouch, EachPageTakesItsTime) {
  constexpr double kPages = 4096, kPage = 4096, kFastestFault = 20e-9;
  EXPECT_GT(first_touch_s(kPages * kPage), kPages * kFastestFault);
}

TEST(FirstTouch, MemoryThatNoMachineHasTakesNoTime) { EXPECT_EQ(first_touch_s(1e18), 0); }

}  // namespace
}  // namespace opbench
