#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class ThinProduct : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, ThinProduct,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(ThinProduct, ComputesFewColumns) {
  for (const char* workload :
       {"matmul 20x131 131x1", "matmul 1x200x68 1x68x1", "matmul 3x7x77 3x77x2",
        "matmul 2x3x9x64 64x3; relu", "matmul 5x2x100 w:100x1", "matmul 1x40 w:40x1",
        "matmul 2x13x41 2x41x1; mul w:13x1", "matmul 239x421 421x1", "matmul 5x70x900 5x900x2"}) {
    expect_computes("thin_product", workload, GetParam());
  }
}

TEST_P(ThinProduct, ComputesTransposedOperands) {
  for (const char* workload :
       {"dense 70x90 70x1 transA=1", "dense 70x37 2x70 transA=1 transB=1",
        "dense 33x90 2x90 w:2 transB=1 alpha=0.5", "dense 3x90 55x90 transB=1; relu",
        "dense 1x90 55x90 w:55 transB=1 beta=2.0", "dense 90x3 55x90 transA=1 transB=1",
        "dense 300x700 300x1 transA=1", "dense 953x372 1x953 transA=1 transB=1"}) {
    expect_computes("thin_product", workload, GetParam());
  }
}

TEST(ThinProductRule, LeavesOtherProductsToOtherSchedules) {
  EXPECT_FALSE(kernel_spec("matmul 20x100 100x4", "host", "thin_product", false));
  EXPECT_FALSE(kernel_spec("matmul 2x100 100x90", "host", "thin_product", false));
  EXPECT_FALSE(kernel_spec("dense 1x90 w:55x90 transB=1", "host", "thin_product", false));
  EXPECT_FALSE(kernel_spec("matmul 20x7 7x1", "host", "thin_product", false));
}

}  // namespace
}  // namespace opbench
