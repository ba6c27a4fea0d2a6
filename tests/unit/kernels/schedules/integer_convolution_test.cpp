#include <gtest/gtest.h>

#include "kernel_harness.h"
#include "quantised_inputs.h"

namespace opbench {
namespace {

/// A QLinearConv in the text of workloads: image, filters, one zero point of the filters, bias.
std::string qlinear_conv(const std::string& x, const std::string& w, const std::string& w_zero,
                         const std::string& channels, const std::string& further,
                         const std::string& y_type = "uint8") {
  const std::string x_type = x.substr(x.find(':') + 1);
  return "qlinear_conv " + x + " w:scalar w:scalar:" + x_type + " w:" + w + " w:" + channels +
         " =" + w_zero + " w:scalar w:scalar:" + y_type + further;
}

void expect_integer_convolution_equal(const std::string& workload, const std::string& target,
                                      const std::string& schedule = "conv2d_integer") {
  const auto spec = kernel_spec(workload, target);
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_EQ(spec->schedule, schedule) << workload;
  const bool is_requantised = workload.starts_with("qlinear");
  const auto error = is_requantised ? kernel_error(*spec, quantised_inputs(spec->workload, 7))
                                    : kernel_error(*spec, 7);
  ASSERT_TRUE(error) << to_text(error.error()) << " " << workload;
  EXPECT_EQ(*error, 0.0) << workload << " for " << target;
}

constexpr const char* kTargets[] = {"host", "llvm -mcpu=skylake-avx512", "llvm -mcpu=haswell"};

TEST(IntegerConvolution, GivesTheReferencesBytes) {
  for (const char* target : kTargets) {
    expect_integer_convolution_equal(qlinear_conv("1x32x9x11:uint8", "32x32x3x3:int8", "0:int8",
                                                  "32", " w:32:int32 pads=1,1,1,1"),
                                     target);
    expect_integer_convolution_equal(
        qlinear_conv("2x64x7x7:int8", "48x64x1x1:int8", "0:int8", "scalar", "", "int8"), target);
    expect_integer_convolution_equal(qlinear_conv("1x35x10x13:int8", "20x35x3x3:uint8", "128:uint8",
                                                  "20", " w:20:int32 pads=1,0,2,1 strides=2,2"),
                                     target);
    expect_integer_convolution_equal(qlinear_conv("1x32x9x8:uint8", "32x32x3x3:uint8", "3:uint8",
                                                  "32", " pads=2,2,2,2 dilations=2,2", "int8"),
                                     target);
  }
}

TEST(IntegerConvolution, ReadsFewPlainChannelsAsTheyLie) {
  for (const char* target : kTargets) {
    expect_integer_convolution_equal(qlinear_conv("1x3x30x29:uint8", "32x3x7x7:int8", "0:int8",
                                                  "32", " w:32:int32 pads=3,3,3,3 strides=2,2"),
                                     target);
    expect_integer_convolution_equal(
        qlinear_conv("2x1x8x8:int8", "16x1x3x3:int8", "0:int8", "scalar", ""), target);
  }
}

TEST(IntegerConvolution, TakesGroupsOfWholeBlocks) {
  expect_integer_convolution_equal(
      qlinear_conv("1x64x6x6:uint8", "64x32x3x3:int8", "0:int8", "64", " group=2 pads=1,1,1,1"),
      "host");
}

TEST(IntegerConvolution, LeavesSumsAsTheyAre) {
  expect_integer_convolution_equal(
      "conv_integer 1x32x9x9:uint8 w:24x32x3x3:int8 w:scalar:uint8 pads=1,1,1,1", "host");
  expect_integer_convolution_equal("conv_integer 1x32x9x9:int8 w:24x32x3x3:int8", "host");
}

TEST(IntegerConvolution, ComputesTheStepsAfterIt) {
  const std::string conv = qlinear_conv("1x32x9x9:uint8", "32x32x1x1:int8", "0:int8", "32", "");
  const auto spec = kernel_spec(conv +
                                    "; dequantize_linear w:scalar w:scalar:uint8; add 1x32x9x9; "
                                    "relu; quantize_linear w:scalar w:scalar:int8",
                                "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_EQ(spec->schedule, "conv2d_integer");
  std::vector<Tensor> inputs = quantised_inputs(spec->workload, 3);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (spec->workload.graph.inputs[i].name == spec->workload.graph.nodes[4].inputs[1])
      inputs[i].as<float>()[0] = 0.013f;
  const auto error = kernel_error(*spec, inputs);
  ASSERT_TRUE(error) << to_text(error.error());
  EXPECT_LE(*error, 1.0 / 127);  // a step: the sum before the rounding is of floats
}

TEST(IntegerConvolution, AddsAndCutsBytes) {
  const std::string conv = qlinear_conv("1x32x9x9:uint8", "40x32x1x1:int8", "0:int8", "40", "");
  expect_integer_convolution_equal(
      conv +
          "; com.microsoft.qlinear_add w:scalar w:scalar:uint8 1x40x9x9:uint8 w:scalar "
          "w:scalar:uint8 w:scalar w:scalar:uint8; clip =3:uint8 =200:uint8",
      "host");
}

TEST(IntegerConvolution, LeavesZeroPointsOfEveryFilterToTheReference) {
  EXPECT_FALSE(kernel_spec("conv_integer 1x32x9x9:uint8 w:24x32x3x3:int8 _ w:24:int8", "host"));
}

}  // namespace
}  // namespace opbench
