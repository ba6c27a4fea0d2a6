#include <gtest/gtest.h>

#include "kernel_harness.h"

namespace opbench {
namespace {

TEST(HardmaxSchedule, MarksRowsOfAnyLength) {
  for (const char* workload : {"hardmax 6x77", "hardmax 2x3x8", "hardmax 300x1000", "hardmax 5x1",
                               "hardmax 6x77; mul w:77", "hardmax 6x77x1 axis=1"}) {
    const auto spec = kernel_spec(workload, "host");
    ASSERT_TRUE(spec) << to_text(spec.error());
    EXPECT_EQ(spec->schedule, "hardmax");
    const auto error = kernel_error(*spec);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_EQ(*error, 0.0) << workload;
  }
}

TEST(HardmaxSchedule, LeavesOtherAxesToTheReference) {
  EXPECT_FALSE(kernel_spec("hardmax 6x77 axis=0", "host"));
}

}  // namespace
}  // namespace opbench
