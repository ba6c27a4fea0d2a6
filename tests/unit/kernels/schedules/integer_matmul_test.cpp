#include <gtest/gtest.h>

#include "kernel_harness.h"
#include "quantised_inputs.h"

namespace opbench {
namespace {

/// A QLinearMatMul in the text of workloads; `columns`: the shape of the scales of w.
std::string qlinear_matmul(const std::string& x, const std::string& w, const std::string& w_zero,
                           const std::string& columns, const std::string& y_type = "uint8") {
  const std::string x_type = x.substr(x.find(':') + 1);
  return "qlinear_matmul " + x + " w:scalar w:scalar:" + x_type + " w:" + w + " w:" + columns +
         " =" + w_zero + " w:scalar w:scalar:" + y_type;
}

void expect_integer_matmul_equal(const std::string& workload, const std::string& target) {
  const auto spec = kernel_spec(workload, target);
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_EQ(spec->schedule, "matmul_integer") << workload;
  const bool is_requantised = workload.starts_with("qlinear");
  const auto error = is_requantised ? kernel_error(*spec, quantised_inputs(spec->workload, 7))
                                    : kernel_error(*spec, 7);
  ASSERT_TRUE(error) << to_text(error.error()) << " " << workload;
  EXPECT_EQ(*error, 0.0) << workload << " for " << target;
}

TEST(IntegerMatMul, GivesTheReferencesBytes) {
  for (const char* target : {"host", "llvm -mcpu=haswell"}) {
    expect_integer_matmul_equal(qlinear_matmul("9x64:uint8", "64x48:int8", "0:int8", "48"), target);
    expect_integer_matmul_equal(
        qlinear_matmul("2x5x30:int8", "30x37:int8", "0:int8", "scalar", "int8"), target);
    expect_integer_matmul_equal(qlinear_matmul("1x21:uint8", "21x100:uint8", "128:uint8", "100"),
                                target);
    expect_integer_matmul_equal(qlinear_matmul("17x8:uint8", "8x5:uint8", "3:uint8", "scalar"),
                                target);
  }
}

TEST(IntegerMatMul, LeavesSumsAsTheyAre) {
  expect_integer_matmul_equal("matmul_integer 3x40:uint8 w:40x24:int8 w:scalar:uint8", "host");
  expect_integer_matmul_equal("matmul_integer 2x3x10:int8 w:10x33:int8", "host");
}

TEST(IntegerMatMul, ComputesTheStepsAfterIt) {
  const auto spec =
      kernel_spec("matmul_integer 6x40:uint8 w:40x24:int8; cast to=1; mul scalar", "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_EQ(spec->schedule, "matmul_integer");
  const auto error = kernel_error(*spec, 3);
  ASSERT_TRUE(error) << to_text(error.error());
  EXPECT_EQ(*error, 0.0);
}

TEST(IntegerMatMul, LeavesComputedMatricesToTheReference) {
  EXPECT_FALSE(kernel_spec("matmul_integer 3x40:uint8 40x24:int8", "host"));
}

}  // namespace
}  // namespace opbench
