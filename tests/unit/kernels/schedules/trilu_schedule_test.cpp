#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class TriluSchedule : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, TriluSchedule,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(TriluSchedule, KeepsOnePartOfMatrices) {
  for (const char* workload : {"trilu 9x70", "trilu 2x3x17x13 upper=0", "trilu 40x8 =-3:int64",
                               "trilu 3x5x64 =2:int64 upper=0", "trilu 7x33:int32 =100:int64",
                               "trilu 5x5:uint8 =-100:int64"}) {
    expect_computes("trilu", workload, GetParam());
  }
}

TEST(TriluSchedules, LeaveOtherTypesToTheReference) {
  EXPECT_FALSE(kernel_spec("trilu 9x70:int64", "host", "trilu", false));
}

}  // namespace
}  // namespace opbench
