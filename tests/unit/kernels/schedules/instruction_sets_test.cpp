#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel_harness.h"
#include "kernels_not_run_report.h"
#include "quantised_inputs.h"

namespace opbench {
namespace {

using ::testing::Le;

struct Sample {
  const char* schedule;
  const char* workload;
  double tolerance = 1e-5;
  bool is_blocked = true;
};

/// A workload of every family of schedules that makes vectors of its own.
constexpr Sample kSamples[] = {
    {"conv2d_direct", "conv2d 1x32x9x11 w:48x32x3x3 w:48 pads=1,1,1,1 strides=2,2; relu"},
    {"conv2d_pointwise", "conv2d 1x64x7x9 w:96x64x1x1 w:96; relu"},
    {"conv2d_winograd", "conv2d 1x32x14x13 w:64x32x3x3 w:64 pads=1,1,1,1; relu", 1e-4},
    {"conv2d_winograd1d", "conv2d 1x32x9x14 w:64x32x1x7 w:64 pads=0,3,0,3", 1e-4},
    {"conv2d_strassen", "conv2d 1x256x7x9 w:160x256x1x1 w:160; relu"},
    {"conv2d_depthwise", "conv2d 1x40x11x12 w:40x1x3x3 group=40 pads=1,1,1,1 strides=2,2"},
    {"conv_rows", "conv2d 1x4x9x40 w:12x4x3x3 w:12 pads=1,1,1,1; relu", 1e-5, false},
    {"conv_channels", "conv2d 3x8x4x4x4 w:16x8x4x4x4", 1e-5, false},
    {"dense", "dense 3x150 w:150x40 w:40; relu", 1e-5, false},
    {"matmul", "matmul 3x20x32 3x32x50", 1e-5, false},
    {"softmax", "softmax 6x77", 1e-5, false},
    {"transpose", "transpose 2x35x17x23 perm=0,2,3,1", 1e-5, false},
    {"elementwise", "tanh 3x77", 1e-5, false},
};

class InstructionSets : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, InstructionSets, ::testing::ValuesIn(kInstructionSets));

TEST_P(InstructionSets, ComputeAWorkloadOfEveryFamily) {
  for (const Sample& sample : kSamples) {
    SCOPED_TRACE(sample.workload);
    const auto spec = kernel_spec(sample.workload, GetParam(), sample.schedule, sample.is_blocked);
    ASSERT_TRUE(spec) << to_text(spec.error());
    const auto error = kernel_error(*spec);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_THAT(*error, Le(sample.tolerance));
  }
}

TEST_P(InstructionSets, ComputeBytesExactly) {
  for (const char* workload :
       {"qlinear_conv 1x32x9x11:uint8 w:scalar w:scalar:uint8 w:32x32x3x3:int8 w:32 =0:int8 "
        "w:scalar w:scalar:uint8 w:32:int32 pads=1,1,1,1",
        "qlinear_matmul 9x64:uint8 w:scalar w:scalar:uint8 w:64x48:int8 w:48 =0:int8 w:scalar "
        "w:scalar:uint8"}) {
    const auto spec = kernel_spec(workload, GetParam());
    ASSERT_TRUE(spec) << to_text(spec.error());
    const auto error = kernel_error(*spec, quantised_inputs(spec->workload, 7));
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_EQ(*error, 0.0) << workload;
  }
}

TEST(KernelsNotRun, AreCountedByTarget) {
  const auto before = kernels_not_run();
  EXPECT_TRUE(runs_kernels_of(Target{}));
  EXPECT_EQ(kernels_not_run(), before);
  const Target elsewhere{.attributes = {{"mtriple", "riscv64-linux-gnu"}}};
  EXPECT_FALSE(runs_kernels_of(elsewhere));
  EXPECT_EQ(kernels_not_run().at(display_text(elsewhere)), 1);
  kernels_not_run() = before;
}

}  // namespace
}  // namespace opbench
