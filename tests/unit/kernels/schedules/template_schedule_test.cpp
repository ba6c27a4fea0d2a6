#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "kernel_harness.h"
#include "machine/target/parse_target.h"
#include "template_configs.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Le;

constexpr int kTemplateScheduleConfigs = 2;  // of every workload's space

void expect_template_schedule_correct(const Result<KernelSpec>& spec) {
  ASSERT_TRUE(spec) << to_text(spec.error());
  SCOPED_TRACE(text_of(*spec));
  const auto error = kernel_error(*spec);
  ASSERT_TRUE(error) << to_text(error.error());
  EXPECT_THAT(*error, Le(1e-5));
}

/// What the schedule says of the first drawn config when one of its knobs is another.
std::string refusal(KernelSpec spec, const std::string& knob, int64_t value) {
  spec.config[knob] = value;
  const auto kernel = LoadedKernel::load(spec);
  if (kernel) return "nothing";
  EXPECT_EQ(kernel.error().code, ErrorCode::kInvalidInput);
  return kernel.error().message;
}

class TemplateSchedule : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, TemplateSchedule,
                         ::testing::Values("llvm -mcpu=skylake-avx512", "llvm -mcpu=core-avx2"));

TEST_P(TemplateSchedule, Conv2dComputesPointsOfItsSpace) {
  TemplateConfigs configs(1);
  for (const char* workload : {
           "conv2d 1x32x14x14 w:48x32x3x3 w:48 pads=1,1,1,1; relu",
           "conv2d 2x12x15x13 w:20x12x3x5 pads=0,2,1,1 strides=2,1",
           "conv2d 3x20x12x17 w:24x20x3x3 w:24 dilations=2,3 pads=2,1,2,0; relu",
           "conv2d 1x3x23x31 w:40x3x7x7 pads=3,3,3,3 strides=2,2",
           "conv2d 1x64x14x14 w:100x64x1x1 w:100; add 1x100x14x14; relu",
           "conv2d 2x24x9x7 w:512x24x1x1 strides=2,2",
           "conv2d 1x16x7x7 w:16x16x1x1 pads=0,0,0,0",
       })
    for (int i = 0; i < kTemplateScheduleConfigs; ++i)
      expect_template_schedule_correct(configs.conv2d(workload, GetParam()));
}

TEST_P(TemplateSchedule, DepthwiseComputesConfigsOfItsSpace) {
  TemplateConfigs configs(2);
  for (const char* workload : {
           "conv2d 1x32x14x14 w:32x1x3x3 w:32 group=32 pads=1,1,1,1; relu",
           "conv2d 2x24x15x13 w:24x1x3x3 group=24 pads=1,1,1,1 strides=2,2",
           "conv2d 3x20x11x9 w:20x1x5x5 w:20 group=20; add 3x20x7x5",
           "conv2d 1x100x8x30 w:100x1x3x7 group=100 pads=0,2,0,0 strides=2,2",
       })
    for (int i = 0; i < kTemplateScheduleConfigs; ++i)
      expect_template_schedule_correct(configs.depthwise(workload, GetParam()));
}

/// A product by its extents as the template sees them.
struct Product {
  const char* workload;
  int64_t m;
  int64_t n;
  int64_t k;
};

TEST_P(TemplateSchedule, DenseComputesConfigsOfBothSpaces) {
  TemplateConfigs configs(3);
  for (const Product& product : {
           Product{"dense 24x100 w:34x100 w:34 transB=1; relu", 24, 34, 100},
           Product{"dense 1x512 w:512x250 w:250", 1, 250, 512},
           Product{"dense 60x20 w:60x18 transA=1 alpha=0.5", 20, 18, 60},
           Product{"matmul 2x15x64 w:64x96; add w:96; gelu", 30, 96, 64},
           Product{"matmul 7x21 21x17", 7, 17, 21},
           Product{"matmul 3x16x48 48x40; add 3x16x40", 48, 40, 48},
       })
    for (const char* schedule : {"dense_nopack_x86", "dense_pack_x86"})
      for (int i = 0; i < kTemplateScheduleConfigs; ++i)
        expect_template_schedule_correct(configs.matrix(schedule, product.workload, GetParam(),
                                                        product.m, product.n, product.k));
}

TEST_P(TemplateSchedule, BatchMatmulComputesConfigsOfItsSpace) {
  TemplateConfigs configs(4);
  for (const Product& product : {
           Product{"matmul 12x32x64 12x64x48; mul =0.125", 32, 48, 64},
           Product{"matmul 2x3x7x20 2x3x20x10; add 2x1x1x10", 7, 10, 20},
           Product{"matmul 3x5x33 w:3x33x18; relu", 5, 18, 33},
           Product{"matmul 2x1x6x24 3x24x16", 6, 16, 24},
           Product{"matmul 2x4x16 1x16x36", 4, 36, 16},
       })
    for (int i = 0; i < kTemplateScheduleConfigs; ++i)
      expect_template_schedule_correct(configs.matrix("batch_matmul_x86", product.workload,
                                                      GetParam(), product.m, product.n, product.k));
}

TEST_P(TemplateSchedule, DefaultsComputeProductsOfOddExtents) {
  for (const char* workload : {"dense 3x17 w:17x19 w:19", "matmul 5x1x3 w:3x1"})
    for (const char* schedule : {"dense_nopack_x86", "dense_pack_x86"})
      expect_template_schedule_correct(kernel_spec(workload, GetParam(), schedule));
  for (const char* workload : {"matmul 3x5x20 3x20x7", "matmul 2x1x3 2x3x1"})
    expect_template_schedule_correct(kernel_spec(workload, GetParam(), "batch_matmul_x86"));
}

TEST(Conv2dNchwcX86, TakesPixelTilesWiderThanADilatedOutput) {
  auto spec = TemplateConfigs(1).conv2d("conv2d 1x16x8x17 w:16x16x3x3 dilations=1,3", "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config["tile_ow"] = 15;  // the output is 11 wide
  expect_template_schedule_correct(spec);
  EXPECT_THAT(refusal(*spec, "tile_ow", 16), HasSubstr("\"tile_ow\" is 16"));
}

TEST(Conv2dNchwcX86, ComputesTilesTooLargeForRegisters) {
  auto spec = TemplateConfigs(1).conv2d("conv2d 1x8x7x64 w:512x8x1x1 w:512", "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config = {{"tile_ic", 8}, {"tile_oc", 512}, {"tile_ow", 64}, {"tile_oh", 2}};
  spec->layouts = {Layout{8}, Layout{}, Layout{}, Layout{512}};
  expect_template_schedule_correct(spec);
}

TEST(Conv2dNchwcX86, RefusesKnobsOutsideTheSpace) {
  const auto spec = TemplateConfigs(1).conv2d("conv2d 1x16x8x8 w:16x16x1x1", "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_THAT(refusal(*spec, "tile_ow", 9), HasSubstr("\"tile_ow\" is 9"));
  EXPECT_THAT(refusal(*spec, "tile_oh", 0), HasSubstr("\"tile_oh\" is 0"));
  EXPECT_THAT(refusal(*spec, "tile_oc", 5), HasSubstr("differ from the layouts"));
  auto grouped = TemplateConfigs(1).conv2d("conv2d 1x16x8x8 w:16x8x1x1 group=2", "host");
  ASSERT_TRUE(grouped) << to_text(grouped.error());
  EXPECT_THAT(refusal(*grouped, "tile_ow", 1), HasSubstr("does not take the workload"));
}

TEST(DepthwiseNchwcX86, RefusesKnobsOutsideTheSpace) {
  auto spec = TemplateConfigs(1).depthwise("conv2d 1x16x8x8 w:16x1x3x3 group=16", "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_THAT(refusal(*spec, "tile_ow", 7), HasSubstr("\"tile_ow\" is 7"));
  EXPECT_THAT(refusal(*spec, "tile_ic", 3), HasSubstr("differ from the layouts"));
  spec->layouts.front() = Layout{3};
  EXPECT_THAT(refusal(*spec, "tile_ic", 3), HasSubstr("does not divide 16"));
  auto dilated =
      TemplateConfigs(1).depthwise("conv2d 1x16x8x8 w:16x1x3x3 dilations=2,2 group=16", "host");
  ASSERT_TRUE(dilated) << to_text(dilated.error());
  EXPECT_THAT(refusal(*dilated, "tile_ow", 1), HasSubstr("does not take the workload"));
}

TEST(DenseX86, RefusesKnobsOutsideTheSpace) {
  TemplateConfigs configs(1);
  auto spec = configs.matrix("dense_pack_x86", "dense 24x100 w:100x34", "host", 24, 34, 100);
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_THAT(refusal(*spec, "tile_x", 16), HasSubstr("\"tile_x\" is 16"));
  EXPECT_THAT(refusal(*spec, "tile_y_1", 48), HasSubstr("\"tile_y_1\" is 48"));
  EXPECT_THAT(refusal(*spec, "tile_inner", 5), HasSubstr("\"tile_inner\" is 5"));
  spec->schedule = "dense_nopack_x86";
  EXPECT_THAT(refusal(*spec, "tile_k", 3), HasSubstr("does not divide 100"));
  spec->config.erase("tile_k");
  const auto kernel = LoadedKernel::load(*spec);
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, HasSubstr("\"tile_k\" is missing"));
}

TEST(DenseX86, RefusesSumsThatTakeMemoryBeyondABound) {
  auto spec = kernel_spec("dense 512x1024 w:1024x1024", "host", "dense_nopack_x86");
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config = {{"tile_y", 512}, {"tile_x", 1024}, {"tile_k", 512}};
  EXPECT_THAT(refusal(*spec, "tile_k", 1024), HasSubstr("over 1 GiB"));
}

TEST(BatchMatmulX86, RefusesKnobsAndWorkloadsThatItDoesNotTake) {
  auto spec =
      TemplateConfigs(1).matrix("batch_matmul_x86", "matmul 2x6x8 2x8x10", "host", 6, 10, 8);
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_THAT(refusal(*spec, "tile_k", 9), HasSubstr("\"tile_k\" is 9"));
  spec->workload = parse_workload("matmul 6x8 8x10").value();
  EXPECT_THAT(refusal(*spec, "tile_k", 1), HasSubstr("does not take the workload"));
}

/// The default of the template for blocks of `in` and `out` channels.
Config default_of(const std::string& schedule, const std::string& workload, int in, int out) {
  KernelSpec spec;
  spec.workload = parse_workload(workload).value();
  spec.target = parse_target("llvm -mcpu=skylake-avx512").value();
  spec.layouts.assign(spec.workload.graph.inputs.size() + 1, Layout{});
  spec.layouts.front() = Layout{in};
  spec.layouts.back() = Layout{out};
  const auto def = schedule_table().find(schedule);
  return (*def)->default_config(spec).value_or(Config{});
}

TEST(TemplateDefaults, AreThoseOfTvm) {
  EXPECT_EQ(default_of("conv2d_nchwc_x86", "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1", 16, 16),
            (Config{{"tile_ic", 16}, {"tile_oc", 16}, {"tile_ow", 28}, {"unroll_kw", 0}}));
  EXPECT_EQ(default_of("conv2d_nchwc_x86", "conv2d 1x64x14x14 w:64x64x1x1", 16, 16),
            (Config{{"tile_ic", 16}, {"tile_oc", 16}, {"tile_ow", 14}, {"tile_oh", 2}}));
  EXPECT_EQ(default_of("depthwise_conv2d_nchwc_x86",
                       "conv2d 1x64x56x56 w:64x1x3x3 group=64 pads=1,1,1,1", 16, 16),
            (Config{{"tile_ic", 16}, {"tile_oc", 16}, {"tile_ow", 28}, {"unroll_kw", 0}}));
  EXPECT_EQ(default_of("dense_nopack_x86", "dense 4x512 w:512x1000", 0, 0),
            (Config{{"tile_y", 4}, {"tile_x", 1}, {"tile_k", 32}}));
  EXPECT_EQ(default_of("dense_pack_x86", "dense 128x768 w:768x3072", 0, 0),
            (Config{{"tile_y", 8},
                    {"tile_y_1", 4},
                    {"tile_x", 32},
                    {"tile_x_1", 32},
                    {"tile_k", 1},
                    {"tile_inner", 8}}));
  EXPECT_EQ(default_of("batch_matmul_x86", "matmul 12x128x64 12x64x20", 0, 0),
            (Config{{"tile_y", 8}, {"tile_x", 4}, {"tile_k", 16}}));
}

}  // namespace
}  // namespace opbench
