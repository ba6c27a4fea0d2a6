#include <gtest/gtest.h>

#include <algorithm>

#include "kernel_harness.h"

namespace opbench {
namespace {

/// On random inputs, scales 0.01. In blocks and as they lie.
void expect_scaling_step_equal(const std::string& workload, const std::string& schedule,
                               double most = 0) {
  for (const bool is_blocked : {true, false}) {
    const auto spec = kernel_spec(workload, "host", "", is_blocked);
    ASSERT_TRUE(spec) << to_text(spec.error());
    EXPECT_EQ(spec->schedule, schedule);
    std::vector<Tensor> inputs = random_inputs(spec->workload, 5);
    for (Tensor& input : inputs)
      if (input.type.size() == 1 && input.type.data_type == DataType::kFloat32)
        input.as<float>()[0] = 0.01F;
    const auto error = kernel_error(*spec, inputs);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_LE(*error, most) << workload;
  }
}

TEST(ScalingStep, QuantisesAsTheReference) {
  expect_scaling_step_equal("quantize_linear 2x40x5x7 w:scalar w:scalar:uint8", "elementwise");
  expect_scaling_step_equal("quantize_linear 2x40x5x7 w:scalar w:scalar:int8", "elementwise");
  expect_scaling_step_equal("quantize_linear 1x32x3x3 scalar", "elementwise");
}

TEST(ScalingStep, ScalesBack) {
  expect_scaling_step_equal("dequantize_linear 2x40x5x7:int8 w:scalar w:scalar:int8",
                            "elementwise");
  expect_scaling_step_equal("dequantize_linear 2x40x5x7:int32 w:scalar", "elementwise", 1e-7);
}

TEST(ScalingStep, JoinsOtherSteps) {
  expect_scaling_step_equal(
      "dequantize_linear 1x32x5x7:uint8 w:scalar w:scalar:uint8; relu; add 1x32x5x7; "
      "quantize_linear w:scalar w:scalar:uint8",
      "elementwise", 1.0 / 255);  // a step: the sum before the rounding is of floats
}

TEST(ScalingStep, AddsBytesAsTheReference) {
  for (const std::string type : {"uint8", "int8"}) {
    const std::string scaling = " w:scalar w:scalar:" + type;
    const std::string x = "2x40x5x7:" + type + scaling;
    expect_scaling_step_equal("com.microsoft.qlinear_add " + x + " " + x + scaling, "elementwise");
    expect_scaling_step_equal("com.microsoft.qlinear_add " + x + " " + x + scaling +
                                  "; clip =3:" + type + " =100:" + type,
                              "elementwise");
  }
}

TEST(ScalingStep, EndsAPool) {
  expect_scaling_step_equal(
      "max_pool 1x32x9x9 kernel_shape=3,3; quantize_linear w:scalar w:scalar:int8", "pool");
}

TEST(BytePool, TakesTheLargestByte) {
  for (const char* type : {"uint8", "int8"}) {
    expect_scaling_step_equal(
        std::string("max_pool 1x32x9x9:") + type + " kernel_shape=3,3 pads=1,1,1,1 strides=2,2",
        "pool");
  }
}

TEST(ScalingStep, LeavesOtherWidthsToTheReference) {
  EXPECT_FALSE(kernel_spec("quantize_linear 1x32x3x3 w:scalar w:scalar:int16", "host"));
  EXPECT_FALSE(kernel_spec("quantize_linear 1x32x3x3 w:32 w:32:int8", "host"));
}

}  // namespace
}  // namespace opbench
