#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

const std::string kName = "com.microsoft.mat_mul_nbits ";

class MatMulNBits : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, MatMulNBits,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(MatMulNBits, DecodesWeightsOfFourBits) {
  for (const char* operands : {
           "1x64 w:48x2x16:uint8 w:96 K=64 N=48 block_size=32",
           "1x1x64 w:48x2x16:uint8 w:96 w:48:uint8 K=64 N=48 block_size=32",
           "5x64 w:48x4x8:uint8 w:192 w:96:uint8 _ w:48 K=64 N=48 block_size=16",
           "2x9x128 w:64x1x64:uint8 w:64 w:64 K=128 N=64 block_size=128; relu",
           "3x96 w:16x3x16:uint8 w:48 w:32:uint8 K=96 N=16 block_size=32",
       }) {
    expect_computes("matmul_nbits", kName + operands, GetParam());
  }
}

TEST(MatMulNBitsConfig, ComputesEveryRegisterTile) {
  for (const int64_t rows : {1, 2, 3, 6}) {
    for (const int64_t vectors : {1, 2, 4}) {
      expect_computes("matmul_nbits", kName + "7x64 w:64x2x16:uint8 w:128 K=64 N=64 block_size=32",
                      "host", {{"rows", rows}, {"vectors", vectors}});
    }
  }
}

TEST(MatMulNBitsRule, LeavesOtherFormsToTheReference) {
  for (const char* operands : {
           "1x64 w:48x2x32:uint8 w:96 K=64 N=48 bits=8 block_size=32",  // bytes
           "1x60 w:48x2x16:uint8 w:96 K=60 N=48 block_size=32",         // a part of a block
           "1x64 w:50x2x16:uint8 w:100 K=64 N=50 block_size=32",        // a part of a vector
           "1x64 48x2x16:uint8 w:96 K=64 N=48 block_size=32",           // not known before the run
       }) {
    EXPECT_TRUE(parse_workload(kName + operands)) << operands;
    EXPECT_FALSE(kernel_spec(kName + operands, "host", "matmul_nbits", false)) << operands;
  }
}

}  // namespace
}  // namespace opbench
