#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class Reduce : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, Reduce,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(Reduce, ComputesEveryKindAlongAnyAxis) {
  for (const char* kind :
       {"reduce_max", "reduce_mean", "reduce_min", "reduce_sum_square", "reduce_l2"}) {
    for (const char* axes : {"0", "1", "2", "-1", "0,1", "1,2", "0,1,2"}) {
      expect_computes("reduce", std::string(kind) + " 3x17x37 axes=" + axes, GetParam());
    }
  }
}

TEST_P(Reduce, ComputesShortAndLongRows) {
  for (const char* workload :
       {"reduce_mean 5x3 axes=1", "reduce_max 2x1 axes=0", "reduce_mean 7x1000 axes=1 keepdims=0",
        "reduce_mean 2x300x2 axes=1", "reduce_max 4x64x128 axes=1 keepdims=0",
        "reduce_sum 3x5x40 =1,:int64"}) {
    expect_computes("reduce", workload, GetParam());
  }
}

TEST(ReduceRule, LeavesAxesThatLieApartToTheReference) {
  EXPECT_FALSE(kernel_spec("reduce_mean 3x4x5 axes=0,2", "host", "reduce", false));
}

}  // namespace
}  // namespace opbench
