#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class ExpandSchedule : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, ExpandSchedule,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(ExpandSchedule, RepeatsDimensions) {
  for (const char* workload :
       {"expand 11x1x79 =11,10,79:int64", "expand 4x1 =4,80:int64", "expand 7 =3,5,7:int64",
        "expand 1x3x1x5x1 =2,3,4,5,6:int64", "expand scalar =3,50:int64", "expand 1x1 =1,1:int64",
        "expand 3x1x40:uint8 =3,9,40:int64", "expand 2x1x3:int32 =1,8,3:int64",
        "expand 1x70 =1000,1:int64"}) {
    expect_computes("expand", workload, GetParam());
  }
}

TEST(ExpandSchedules, LeaveOtherTypesToTheReference) {
  EXPECT_FALSE(kernel_spec("expand 4x1:int64 =4,8:int64", "host", "expand", false));
}

}  // namespace
}  // namespace opbench
