#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class Reduce : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, Reduce,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(Reduce, ComputesEveryKindAlongAnyAxis) {
  for (const char* kind : {"reduce_max", "reduce_mean", "reduce_min", "reduce_sum_square",
                           "reduce_l1", "reduce_l2", "reduce_log_sum_exp"}) {
    for (const char* axes : {"0", "1", "2", "-1", "0,1", "1,2", "0,2", "0,1,2"}) {
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

TEST_P(Reduce, ComputesAxesOfOneElement) {
  for (const char* workload :
       {"reduce_l1 38x39x1 axes=2", "reduce_max 3x1x40 axes=1", "reduce_mean 1x1 axes=0,1",
        "reduce_log_sum_exp 1x5x70 axes=0 keepdims=0", "reduce_l2 1x1x9 axes=0,1"}) {
    expect_computes("reduce", workload, GetParam());
  }
}

TEST_P(Reduce, ComputesAxesThatLieApart) {
  for (const char* workload :
       {"reduce_mean 3x4x5x6x7 axes=0,2,4", "reduce_max 4x1x30x5 axes=0,3 keepdims=0",
        "reduce_sum_square 2x3x40x33 axes=1,3", "reduce_min 1x9x4x35 axes=0,2",
        "reduce_prod 2x3x2x3 axes=0,2", "reduce_mean 2x3x5x3 axes=3,1 keepdims=0"}) {
    expect_computes("reduce", workload, GetParam());
  }
}

TEST(ReduceRule, LeavesNothingToReduceToTheReference) {
  EXPECT_FALSE(kernel_spec("reduce_sum 3x4 noop_with_empty_axes=1", "host", "reduce", false));
  EXPECT_TRUE(kernel_spec("reduce_max 3x4", "host", "reduce", false));
}

}  // namespace
}  // namespace opbench
