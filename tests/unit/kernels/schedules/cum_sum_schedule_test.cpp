#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class CumSumSchedule : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, CumSumSchedule,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(CumSumSchedule, AddsRowsForwardAndBackward) {
  for (const char* workload :
       {"cum_sum 9x77 =0:int64", "cum_sum 3x7x32 =1:int64 reverse=1",
        "cum_sum 3x7x5x16 =1:int64 exclusive=1", "cum_sum 5x4x64 =-2:int64 exclusive=1 reverse=1",
        "cum_sum 1x80 =0:int64", "cum_sum 2x1x80 =1:int64 exclusive=1"}) {
    expect_computes("cum_sum", workload, GetParam());
  }
}

TEST(CumSumScheduleRule, LeavesLinesAndLongSumsToTheReference) {
  EXPECT_FALSE(kernel_spec("cum_sum 9x77 =1:int64", "host", "cum_sum", false));
  EXPECT_FALSE(kernel_spec("cum_sum 5000x64 =0:int64", "host", "cum_sum", false));
  EXPECT_FALSE(kernel_spec("cum_sum 9x64:int64 =0:int64", "host", "cum_sum", false));
}

}  // namespace
}  // namespace opbench
