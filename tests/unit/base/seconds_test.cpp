#include "base/system/seconds.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(Seconds, ConvertToMillisecondsAndBack) {
  EXPECT_EQ(s_to_ms(0.25), 250);
  EXPECT_EQ(to_ms(Seconds(2)), 2000);
  EXPECT_DOUBLE_EQ(ms_to_s(250), 0.25);
  EXPECT_DOUBLE_EQ(ns_to_ms(5e6), 5);
  for (double ms = 1e-3; ms < 1e6; ms *= 1.7) EXPECT_DOUBLE_EQ(s_to_ms(ms_to_s(ms)), ms);
}

}  // namespace
}  // namespace opbench
