#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernel_harness.h"
#include "opencl_harness.h"
#include "test_form.h"

namespace opbench {
namespace {

/// That `schedule` is the default for OpenCL and computes the workload within 1e-4 of the
/// reference, with the knobs of `config` in the place of its rule's.
void expect_on_gpu(const std::string& schedule, const std::string& workload,
                   const Config& config = {}) {
  SCOPED_TRACE(workload);
  auto spec = kernel_spec(workload, "opencl", "", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_EQ(spec->schedule, schedule);
  for (const auto& [knob, value] : config) spec->config.at(knob) = value;
  const auto error = opencl_error(*spec);
  ASSERT_TRUE(error) << to_text(error.error());
  EXPECT_THAT(*error, ::testing::Le(1e-4));
}

class GpuSchedules : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!opencl_missing().empty()) GTEST_SKIP() << opencl_missing();
  }
};

/// Every workload in a test; of `rarer` ones all in the slow form.
void expect_all(const std::string& schedule, const std::vector<std::string>& workloads,
                const std::vector<std::string>& rarer = {}) {
  for (const std::string& workload : workloads) expect_on_gpu(schedule, workload);
  for (const std::string& workload : by_form(std::vector<std::string>(), rarer))
    expect_on_gpu(schedule, workload);
}

TEST_F(GpuSchedules, ComputeElementwiseSteps) {
  expect_all("elementwise_gpu",
             {"relu 1x3x7x7", "add 2x65x13x13 65x1x1; relu", "mul 3x1x5 1x4x5; add % 3x4x5",
              "clip 1x32x9x9 =0 =6; round"},
             {"sigmoid 1000", "tanh 33x7", "gelu 5x77", "pow 40 =2; exp", "softplus 3x3",
              "greater 3x4 3x4", "where 3x4:bool 3x4 4", "add 3x4:int64 4:int64", "cast 3x4 to=6",
              "prelu 1x3x5x5 w:3x1x1"});
}

TEST_F(GpuSchedules, ComputeConvolutions) {
  expect_all(
      "convolution_gpu",
      {"conv2d 1x64x7x7 w:65x64x1x1 w:65; relu",
       "conv2d 1x3x31x29 w:16x3x7x7 w:16 strides=2,2 pads=3,3,3,3; relu",
       "conv2d 1x16x13x13 w:20x16x3x3 pads=1,1,1,1; add 1x20x13x13; relu",
       "conv2d 2x32x9x9 w:32x1x3x3 w:32 group=32 pads=1,1,1,1; clip % =0 =6",
       "conv2d 1x12x10x10 w:18x4x3x3 group=3 strides=2,2 pads=0,1,1,0",
       "conv2d 1x5x14x14 w:7x5x3x3 dilations=2,2 pads=2,2,2,2"},
      {"conv2d 1x65x13x13 w:3x65x1x1", "conv2d 2x8x5x5 w:1x8x5x5",
       "conv2d 1x32x14x14 w:32x1x3x3 group=32 strides=2,2 pads=1,1,1,1; relu",
       "conv2d 1x8x9x9 w:16x8x1x1 strides=2,2", "conv2d 1x4x8x8 w:8x1x3x3 group=4",
       "conv2d 1x3x2x3 w:2x3x1x1", "conv2d 1x6x40 w:5x6x3 pads=1,1",
       "conv2d 1x2x4x5x6 w:3x2x2x3x3 pads=0,1,1,0,1,1", "conv2d 1x4x9x9 6x4x3x3 6 pads=1,1,1,1",
       "conv2d 1x16x7x7 w:8x16x1x1 w:8; mul % w:8x1x1; add w:8x1x1"});
}

TEST_F(GpuSchedules, ComputeProducts) {
  expect_all("product_gpu",
             {"dense 1x512 w:1000x512 w:1000 transB=1", "matmul 2x3x20x31 2x3x31x45",
              "matmul 7x33 w:33x65; add w:65; relu",
              "dense 30x20 40x30 20x40 transA=1 transB=1 alpha=0.5"},
             {"matmul 3x20x31 2x3x31x5; mul 3x20x5", "matmul 3x1x31 3x31x50",
              "matmul 2x3x20x31 w:31x45; add w:45", "matmul 7x7 w:7x1",
              "com.microsoft.fused_mat_mul 2x3x20x31 3x5x31 transB=1 alpha=0.5; relu",
              "dense 8x16 w:10x16 w:10 transB=1 beta=0.5"});
}

TEST_F(GpuSchedules, TakePartsOfTensors) {
  expect_all("slice_gpu",
             {"slice 1x9x24 =8,:int64 =16,:int64 =2,:int64",
              "slice 2x5x7x3 =1,-1:int64 =4,-8:int64 =1,2:int64 =2,-3:int64"},
             {"slice 40 =3,:int64 =100,:int64", "slice 6x4 =0,:int64 =1,:int64 =0,:int64"});
}

TEST_F(GpuSchedules, RepeatTensors) {
  expect_all("expand_gpu", {"expand 4x1x5x3 =4,2,5,3:int64", "expand 3x1 =2,3,7:int64"},
             {"expand 5 =2,1,5:int64", "expand 1x1 =3,4:int64"});
}

TEST_F(GpuSchedules, ComputePools) {
  expect_all(
      "pool_gpu",
      {"max_pool 1x65x13x13 kernel_shape=3,3 strides=2,2 pads=1,1,1,1; relu",
       "average_pool 1x3x17x17 kernel_shape=3,3 pads=0,1,1,0",
       "max_pool 1x8x15x13 kernel_shape=3,3 strides=2,2 ceil_mode=1"},
      {"max_pool 1x32x13x7 kernel_shape=2,3 strides=1,2 dilations=2,1",
       "average_pool 1x32x14x14 kernel_shape=3,3 strides=2,2 pads=1,1,1,1 count_include_pad=1",
       "average_pool 1x32x7x7 kernel_shape=7,7", "max_pool 1x4x20 kernel_shape=3",
       "lp_pool 1x4x9x9 kernel_shape=3,3", "max_pool 1x2x9x9:uint8 kernel_shape=3,3"});
}

TEST_F(GpuSchedules, ReduceAlongAnyAxes) {
  expect_all("reduce_gpu",
             {"global_average_pool 1x65x7x7", "global_max_pool 2x3x13x13; relu",
              "reduce_mean 3x17x37 axes=0,2", "reduce_log_sum_exp 3x17x37 axes=1"},
             {"reduce_max 3x17x37 axes=2 keepdims=0", "reduce_sum 3x5x40 =1,:int64",
              "reduce_l2 1x1x9 axes=0,1", "reduce_min 1x9x4x35 axes=0,2",
              "reduce_prod 2x3x2x3 axes=0,2", "reduce_l1 38x39x1 axes=2"});
}

TEST_F(GpuSchedules, ComputeSoftmax) {
  expect_all("softmax_gpu", {"softmax 3x1000", "log_softmax 2x31x10 axis=1", "softmax 5x7"},
             {"softmax 2x65x13x13 axis=1", "log_softmax 6x77", "softmax 64x64; mul % 64x64",
              "softmax 1x1"});
}

TEST_F(GpuSchedules, Normalise) {
  expect_all("layer_norm_gpu", {"layer_norm 5x77 w:77 w:77; relu"},
             {"instance_norm 2x3x9x9 w:3 w:3", "rms_norm 4x64 w:64",
              "group_norm 2x6x5x5 w:6 w:6 num_groups=3", "mean_variance_norm 1x3x7x7"});
  expect_all("lrn_gpu", {"lrn 2x13x7x5 size=5; relu"}, {"lrn 1x8x4x4 size=3 beta=0.5"});
  expect_all("batch_norm_gpu", {"batch_norm 2x5x7x9 w:5 w:5 w:5 w:5 epsilon=2"});
}

TEST_F(GpuSchedules, Transpose) {
  expect_all("transpose_gpu", {"transpose 2x3x5x7 perm=0,2,3,1"},
             {"transpose 13x65", "transpose 2x1x5 perm=2,1,0"});
}

TEST_F(GpuSchedules, RepeatElements) {
  expect_all("resize_gpu",
             {"resize 1x5x6x7 _ =1,1,2,2 coordinate_transformation_mode=asymmetric "
              "nearest_mode=floor; relu"},
             {"resize 1x3x9x9 _ =1,1,1,3 coordinate_transformation_mode=asymmetric "
              "nearest_mode=floor"});
}

// Indices of the tests are numbers up to 1000, with either sign.
TEST_F(GpuSchedules, Gather) {
  expect_all("gather_gpu",
             {"gather 3x2000x2 4:int64 axis=1", "gather 5x3x2000 w:scalar:int64 axis=-1"},
             {"gather w:2000x5 2x3:int64", "gather 2000 2x2:int32", "gather 2000 1:int32"});
}

TEST_F(GpuSchedules, Concatenate) {
  expect_all("concat_gpu", {"concat 1x64x13x13 1x65x13x13 axis=1", "concat 3x4 3x5 3x7 axis=-1"},
             {"concat 2x3 5x3 axis=0", "concat 2x3x1 2x3x1 axis=2"});
}

TEST_F(GpuSchedules, ComputeWithOtherKnobs) {
  const char* convolution = "conv2d 1x9x13x13 w:12x9x3x3 w:12 pads=1,1,1,1";
  expect_on_gpu("convolution_gpu", convolution, {{"group", 256}, {"tile_x", 7}, {"tile_c", 3}});
  expect_on_gpu("convolution_gpu", convolution, {{"group", 16}, {"tile_x", 1}, {"tile_c", 8}});
  expect_on_gpu("product_gpu", "matmul 20x31 31x45", {{"tile_n", 8}, {"tile_m", 1}});
  expect_on_gpu("softmax_gpu", "softmax 3x1000", {{"group", 256}});
}

TEST_F(GpuSchedules, TellWhenALaunchFailed) {
  const auto spec = kernel_spec("relu 1x3x7x7", "opencl", "", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  constexpr int kInvalidWorkGroupSize = -54;
  const auto failed = opencl_return(*spec, kInvalidWorkGroupSize);
  ASSERT_TRUE(failed) << to_text(failed.error());
  EXPECT_NE(*failed, 0);
  const auto launched = opencl_return(*spec, 0);
  ASSERT_TRUE(launched) << to_text(launched.error());
  EXPECT_EQ(*launched, 0);
}

TEST(GpuRules, RefuseGroupsThatADeviceMayRefuse) {
  auto spec = kernel_spec("relu 1x3x7x7", "opencl", "elementwise_gpu", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config.at("group") = 512;
  const auto checked = check_spec(*spec);
  ASSERT_FALSE(checked);
  EXPECT_THAT(to_text(checked.error()),
              ::testing::AllOf(::testing::HasSubstr("512"), ::testing::HasSubstr("256")));
}

TEST(GpuRules, RefuseTilesThatDoNotFit) {
  auto spec =
      kernel_spec("conv2d 1x64x3x3 w:64x64x3x3 pads=1,1,1,1", "opencl", "convolution_gpu", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config.at("tile_x") = 4;
  EXPECT_FALSE(check_spec(*spec));
  spec->config.at("tile_x") = 3;
  EXPECT_TRUE(check_spec(*spec));
  spec->config.at("tile_c") = 32;
  EXPECT_FALSE(check_spec(*spec));
}

TEST(GpuRules, LeaveWhatADeviceMayLackToTheHost) {
  EXPECT_FALSE(kernel_spec("sin 1x3", "opencl", "", false));
  EXPECT_FALSE(kernel_spec("add 1x3:double 1x3:double", "opencl", "", false));
}

}  // namespace
}  // namespace opbench
