#include "measuring/sampling/first_touch.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(FirstTouch, NothingTakesNoTime) { EXPECT_EQ(first_touch_s(0), 0); }

TEST(FirstTouch, PagesTakeSomeTime) { EXPECT_GT(first_touch_s(1 << 24), 0); }

TEST(FirstTouch, MemoryThatNoMachineHasTakesNoTime) { EXPECT_EQ(first_touch_s(1e18), 0); }

}  // namespace
}  // namespace opbench
