#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kernel_harness.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Le;

constexpr const char* kAvx2 = "llvm -mcpu=core-avx2";
constexpr const char* kBaseline = "llvm";

void expect_conv2d_schedule_correct(const KernelSpec& spec, double tolerance) {
  const auto error = kernel_error(spec);
  ASSERT_TRUE(error) << to_text(error.error());
  EXPECT_THAT(*error, Le(tolerance));
}

/// That the rule chooses this schedule, and its largest error.
void expect_conv2d_schedule_correct(const std::string& workload, const std::string& target,
                                    const std::string& expected_schedule, double tolerance = 1e-5,
                                    bool is_blocked = true) {
  SCOPED_TRACE(workload + " for " + target);
  const auto spec = kernel_spec(workload, target, "", is_blocked);
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_EQ(spec->schedule, expected_schedule);
  expect_conv2d_schedule_correct(*spec, tolerance);
}

/// The same of a schedule that the rule need not choose.
void expect_conv2d_computes(const std::string& schedule, const std::string& workload,
                            const std::string& target, double tolerance = 1e-5) {
  SCOPED_TRACE(schedule + ": " + workload + " for " + target);
  const auto spec = kernel_spec(workload, target, schedule);
  ASSERT_TRUE(spec) << to_text(spec.error());
  expect_conv2d_schedule_correct(*spec, tolerance);
}

class EveryTarget : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, EveryTarget, ::testing::Values("host", kAvx2, kBaseline));

TEST_P(EveryTarget, DirectComputesKernelsStridesAndPads) {
  for (const char* workload : {
           "conv2d 1x32x14x14 w:32x32x1x1 w:32 strides=2,2",
           "conv2d 1x32x14x14 w:32x32x1x1 w:32 pads=1,0,0,1",
           "conv2d 1x32x15x13 w:48x32x3x3 w:48 pads=1,1,1,1 strides=2,2",
           "conv2d 1x16x11x9 w:32x16x5x5 w:32 pads=2,2,2,2 strides=1,2",
           "conv2d 1x16x17x17 w:32x16x1x7 w:32 pads=0,3,0,3 strides=2,1",
           "conv2d 1x16x17x17 w:32x16x7x1 w:32 pads=3,0,3,0 strides=1,2",
           "conv2d 1x16x12x12 w:32x16x3x3 w:32 dilations=2,2 pads=2,2,2,2",
           "conv2d 1x16x12x12 w:32x16x3x3 w:32 pads=0,0,1,1 strides=2,2",
           "conv2d 1x16x12x11 w:32x16x2x3 w:32 pads=1,0,0,2",
           "conv2d 1x64x1x1 w:32x64x1x1 w:32 strides=2,2",
       })
    expect_conv2d_computes("conv2d_direct", workload, GetParam());
}

TEST_P(EveryTarget, DirectComputesChannelsThatDoNotFillTheirBlocks) {
  expect_conv2d_schedule_correct("conv2d 1x24x9x9 w:20x24x3x3 w:20 pads=1,1,1,1 strides=2,2; relu",
                                 GetParam(), "conv2d_direct");
}

TEST_P(EveryTarget, PointwiseComputesAllRowsAsOne) {
  for (const char* workload : {
           "conv2d 1x32x14x14 w:32x32x1x1 w:32",
           "conv2d 1x64x17x17 w:80x64x1x1; relu",
           "conv2d 1x40x7x7 w:1000x40x1x1 w:1000; relu",
           "conv2d 3x32x8x9 w:48x32x1x1 w:48; add 3x48x8x9",
           "conv2d 1x64x1x1 w:32x64x1x1 w:32",
           "conv2d 1x16x1x31 w:16x16x1x1; add 1x1x1x31",
           "conv2d 2x24x31x1 w:20x24x1x1; add 1x20x1x1",
           "conv2d 1x16x300x300 w:16x16x1x1",
           "conv2d 1x32x15x14 w:256x32x1x1 w:256 strides=2,2; relu",
           "conv2d 2x40x14x9 w:260x40x1x1 strides=2,1; add 2x260x7x9",
           "conv2d 1x16x7x9 w:256x16x1x1 strides=1,3",
       })
    expect_conv2d_schedule_correct(workload, GetParam(), "conv2d_pointwise");
}

TEST_P(EveryTarget, DirectComputesBatchesAndGroups) {
  expect_conv2d_schedule_correct("conv2d 3x32x8x8 w:32x32x1x1 w:32 strides=2,2; relu", GetParam(),
                                 "conv2d_direct");
  expect_conv2d_schedule_correct("conv2d 2x32x9x9 w:64x16x5x5 w:64 group=2 pads=2,2,2,2",
                                 GetParam(), "conv2d_direct");
  expect_conv2d_schedule_correct("conv2d 1x64x9x9 w:64x2x3x3 w:64 group=32 pads=1,1,1,1",
                                 GetParam(), "conv2d_direct");
}

TEST_P(EveryTarget, DirectReadsAFirstLayersPlainInput) {
  expect_conv2d_schedule_correct("conv2d 1x3x33x31 w:32x3x7x7 w:32 pads=3,3,3,3 strides=2,2; relu",
                                 GetParam(), "conv2d_direct");
  expect_conv2d_schedule_correct("conv2d 2x3x39x39 w:32x3x11x11 w:32 strides=4,4", GetParam(),
                                 "conv2d_direct");
  expect_conv2d_schedule_correct("conv2d 1x1x16x16 w:32x1x3x3 w:32 pads=1,1,1,1", GetParam(),
                                 "conv2d_direct");
  expect_conv2d_schedule_correct("conv2d 1x3x37x35 w:32x3x3x3 w:32 strides=2,2", GetParam(),
                                 "conv2d_direct");
}

TEST_P(EveryTarget, WinogradComputesOddSizes) {
  for (const char* workload : {
           "conv2d 1x32x28x28 w:32x32x3x3 w:32 pads=1,1,1,1; relu",
           "conv2d 1x32x13x13 w:48x32x3x3 w:48 pads=1,1,1,1",
           "conv2d 1x32x7x7 w:64x32x3x3 w:64 pads=1,1,1,1",
           "conv2d 1x40x19x31 w:36x40x3x3 w:36; relu",
           "conv2d 1x16x28x28 w:32x16x3x3 w:32 pads=1,1,1,1",
           "conv2d 1x24x55x50 w:48x24x3x3 w:48 pads=1,1,1,1",
           "conv2d 2x32x17x17 w:32x32x3x3 w:32 pads=1,1,1,1",
           "conv2d 3x32x33x30 w:32x32x3x3 w:32 pads=0,1,1,0",
           "conv2d 1x48x35x35 w:64x48x5x5 w:64 pads=2,2,2,2; relu",
           "conv2d 2x40x13x22 w:36x40x5x5 w:36 pads=2,0,1,2",
           "conv2d 1x32x9x9 w:32x32x5x5",
           "conv2d 1x64x35x35 w:96x64x3x3 w:96 pads=1,1,1,1; relu",
           "conv2d 2x64x13x14 w:128x64x3x3 w:128 pads=1,1,1,1",
           "conv2d 1x200x23x25 w:180x200x3x3 w:180 pads=0,1,1,0",
       })
    expect_conv2d_schedule_correct(workload, GetParam(), "conv2d_winograd", 3e-5);
}

TEST_P(EveryTarget, WinogradComputesEverySecondPixel) {
  for (const char* workload : {
           "conv2d 1x32x28x28 w:32x32x3x3 w:32 pads=1,1,1,1 strides=2,2; relu",
           "conv2d 1x32x35x35 w:48x32x3x3 w:48 strides=2,2",
           "conv2d 2x40x33x30 w:36x40x3x3 w:36 pads=0,1,1,0 strides=2,2",
           "conv2d 1x32x29x27 w:32x32x5x5 w:32 pads=2,2,2,2 strides=2,2; relu",
       })
    expect_conv2d_schedule_correct(workload, GetParam(), "conv2d_winograd", 3e-5);
}

TEST_P(EveryTarget, Winograd1dComputesRowsAndColumns) {
  for (const char* workload : {
           "conv2d 1x32x17x17 w:32x32x1x7 w:32 pads=0,3,0,3; relu",
           "conv2d 1x32x17x17 w:48x32x7x1 w:48 pads=3,0,3,0; relu",
           "conv2d 1x160x17x17 w:64x160x7x1 w:64 pads=3,0,3,0",
           "conv2d 2x32x8x9 w:64x32x1x3 pads=0,1,0,1; add 2x64x8x9",
           "conv2d 2x40x9x8 w:36x40x3x1 w:36 pads=1,0,1,0",
           "conv2d 1x32x5x23 w:32x32x1x5 w:32",
           "conv2d 1x32x19x6 w:32x32x4x1 w:32 pads=0,0,3,0",
           "conv2d 1x32x1x40 w:32x32x1x3 w:32 pads=0,2,0,1",
           "conv2d 1x192x17x17 w:192x192x1x7 w:192 pads=0,3,0,3",
           "conv2d 1x384x8x8 w:64x384x3x1 w:64 pads=1,0,1,0; relu",
           "conv2d 1x64x16x15 w:64x64x1x5 w:64 pads=0,2,0,2",
       })
    expect_conv2d_schedule_correct(workload, GetParam(), "conv2d_winograd1d", 3e-5);
}

TEST_P(EveryTarget, DepthwiseComputesKernelsStridesAndPads) {
  for (const char* workload : {
           "conv2d 1x32x14x14 w:32x1x3x3 w:32 group=32 pads=1,1,1,1; relu",
           "conv2d 1x32x15x15 w:32x1x3x3 w:32 group=32 pads=1,1,1,1 strides=2,2",
           "conv2d 2x40x13x11 w:40x1x5x5 w:40 group=40 pads=2,2,2,2",
           "conv2d 1x16x12x12 w:16x1x3x3 w:16 dilations=2,2 group=16 pads=2,2,2,2",
           "conv2d 1x16x1x1 w:16x1x3x3 w:16 group=16 pads=1,1,1,1",
       })
    expect_conv2d_schedule_correct(workload, GetParam(), "conv2d_depthwise");
}

TEST_P(EveryTarget, PlainComputesWhatNoOtherScheduleTakes) {
  for (const char* workload :
       {"conv2d 1x12x14x14 w:24x3x3x3 w:24 group=4 pads=1,1,1,1; relu",
        "conv2d 1x60x10x10 w:60x3x3x3 w:60 group=20 pads=1,1,1,1 strides=2,2",
        "conv2d 1x4x5x6x18 w:6x4x3x3x3 w:6 pads=1,1,1,1,1,1"}) {
    auto spec = kernel_spec(workload, GetParam(), "conv2d_plain", false);
    ASSERT_TRUE(spec) << to_text(spec.error());
    expect_conv2d_schedule_correct(*spec, 1e-5);
  }
}

TEST(Epilogue, AppliesStepsWithOperandsOfEveryKind) {
  for (const char* workload : {
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; add 1x24x9x9; relu",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; mul w:1x24x1x1; add w:24x1x1",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; mul 1x24x1x1; sigmoid",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; add w:1x24x9x9",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; add 1x1x9x9",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; prelu w:24x1x1",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; clip =0 =6",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; exp; div w:1x24x1x1 %",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; mul % %; add =1; log",
           "conv2d 1x32x9x9 w:24x32x1x1 w:24; hard_swish; tanh; exp; gelu",
       })
    for (const char* schedule : {"conv2d_direct", "conv2d_pointwise"})
      expect_conv2d_computes(schedule, workload, "host", 2e-5);
}

TEST(Epilogue, LeavesResultsAloneThatALaterStepBroadcasts) {
  for (const char* workload :
       {"conv2d 1x32x9x1 w:32x32x1x1 w:32; add 1x32x9x9", "dense 1x32 w:32x8 w:8; add 5x8"}) {
    const auto spec = kernel_spec(workload, "host");
    EXPECT_FALSE(spec) << spec->schedule;
  }
}

/// The spec of a row of AutoTVM's log for conv2d_NCHWc.x86.
KernelSpec nchwc_spec(const std::string& workload, int in_block, int out_block, Config config) {
  KernelSpec spec;
  spec.workload = parse_workload(workload).value();
  spec.target = host_target();
  spec.layouts.assign(spec.workload.graph.inputs.size() + 1, Layout{});
  spec.layouts.front() = Layout{in_block};
  spec.layouts.back() = Layout{out_block};
  spec.schedule = "conv2d_nchwc_x86";
  spec.config = std::move(config);
  return spec;
}

TEST(Conv2dNchwcX86, ComputesRecordsOfAutotvmsResnet18Log) {
  const std::vector<KernelSpec> records = {
      nchwc_spec("conv2d 1x512x7x7 w:512x512x3x3 pads=1,1,1,1", 32, 16,
                 {{"tile_ic", 32}, {"tile_oc", 16}, {"tile_ow", 7}, {"unroll_kw", 1}}),
      nchwc_spec("conv2d 1x256x14x14 w:512x256x1x1 strides=2,2", 256, 16,
                 {{"tile_ic", 256}, {"tile_oc", 16}, {"tile_ow", 2}, {"tile_oh", 2}}),
      nchwc_spec("conv2d 1x128x28x28 w:256x128x3x3 pads=1,1,1,1 strides=2,2", 128, 8,
                 {{"tile_ic", 128}, {"tile_oc", 8}, {"tile_ow", 8}, {"unroll_kw", 0}}),
  };
  for (const KernelSpec& spec : records) {
    SCOPED_TRACE(text_of(spec));
    const auto error = kernel_error(spec);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_THAT(*error, Le(1e-5));
  }
}

void expect_refused(const char* schedule, const char* knob, int64_t value,
                    const char* workload = "conv2d 1x32x7x7 w:32x32x1x1 w:32") {
  auto spec = kernel_spec(workload, "host", schedule);
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config[knob] = value;
  const auto kernel = LoadedKernel::load(*spec);
  ASSERT_FALSE(kernel) << schedule;
  EXPECT_EQ(kernel.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(kernel.error().message, HasSubstr(fmt::format("\"{}\" is {}", knob, value)));
}

TEST(RegisterTiles, AreRefusedThatDoNotFit) {
  expect_refused("conv2d_direct", "tile_x", 14);
  expect_refused("conv2d_direct", "tile_co", 3);
  expect_refused("conv2d_pointwise", "tile_x", 50);
  expect_refused("conv2d_pointwise", "tile_co", 3);
  expect_refused("conv2d_pointwise", "pixel_tasks", 40);
  constexpr const char* kManyChannels = "conv2d 1x256x7x7 w:256x256x1x1";
  expect_refused("conv2d_strassen", "tile_x", 26, kManyChannels);
  expect_refused("conv2d_strassen", "tile_co", 3, kManyChannels);
  expect_refused("conv2d_strassen", "pixel_tasks", 30, kManyChannels);
  expect_refused("conv2d_strassen", "panel_tasks", 40, kManyChannels);
}

TEST(Depthwise, RefusesMorePartsThanRows) {
  constexpr const char* kWorkload = "conv2d 1x32x7x7 w:32x1x3x3 group=32 pads=1,1,1,1";
  expect_refused("conv2d_depthwise", "row_tasks", 0, kWorkload);
  expect_refused("conv2d_depthwise", "row_tasks", 8, kWorkload);
}

TEST(Winograd, RefusesPartsThatDoNotFit) {
  constexpr const char* kWorkload = "conv2d 1x64x14x14 w:64x64x3x3 pads=1,1,1,1";
  expect_refused("conv2d_winograd", "parts", -1, kWorkload);
  expect_refused("conv2d_winograd", "parts", 17, kWorkload);  // panels: 16 at most, of 4 lanes
}

TEST(Winograd, ComputesPartsOfUnequalShares) {
  for (const char* workload : {"conv2d 2x32x13x9 w:80x32x3x3 pads=1,1,1,1; relu",
                               "conv2d 1x32x35x35 w:80x32x3x3 strides=2,2"}) {
    auto spec = kernel_spec(workload, "host", "conv2d_winograd");
    ASSERT_TRUE(spec) << to_text(spec.error());
    spec->config["band"] = 0;
    spec->config["parts"] = 2;  // panels: 3 and 2
    spec->config["tile_co"] = 1;
    expect_conv2d_schedule_correct(*spec, 3e-5);
  }
}

TEST(Winograd1d, RefusesPartsAndTilesThatDoNotFit) {
  constexpr const char* kRows = "conv2d 1x64x17x17 w:64x64x1x7 pads=0,3,0,3";
  expect_refused("conv2d_winograd1d", "parts", 18, kRows);
  expect_refused("conv2d_winograd1d", "tile_x", 52, kRows);
}

TEST(Winograd1d, ComputesPartsOfTheirOwnThatAreShorterThanATile) {
  auto spec =
      kernel_spec("conv2d 2x32x17x17 w:48x32x7x1 pads=3,0,3,0; relu", "host", "conv2d_winograd1d");
  ASSERT_TRUE(spec) << to_text(spec.error());
  for (const int64_t shared : {0, 1}) {
    spec->config["m"] = 6;
    spec->config["parts"] = 4;   // lines: 5, 5, 5, 2
    spec->config["tile_x"] = 8;  // every target holds as many sums
    spec->config["tile_co"] = 1;
    spec->config["shared"] = shared;
    expect_conv2d_schedule_correct(*spec, 3e-5);
  }
}

TEST(KernelSpec, TextIsReadBackAsTheSameSpec) {
  const auto spec = kernel_spec("conv2d 1x32x7x7 w:32x32x1x1 w:32; relu", kAvx2);
  ASSERT_TRUE(spec) << to_text(spec.error());
  const auto again = parse_kernel_spec(text_of(*spec));
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(text_of(*again), text_of(*spec));
  EXPECT_EQ(again->config, spec->config);
  EXPECT_EQ(again->layouts, spec->layouts);
}

TEST(KernelSpec, RefusesTextThatIsNoSpec) {
  EXPECT_FALSE(parse_kernel_spec("{}"));
  EXPECT_FALSE(parse_kernel_spec("[1"));
}

TEST(PhysicalShape, SplitsChannelsIntoBlocks) {
  EXPECT_EQ(physical_shape({1, 20, 7, 5}, {16}), (Shape{1, 2, 7, 5, 16}));
  EXPECT_EQ(physical_shape({1, 20, 7, 5}, {0}), (Shape{1, 20, 7, 5}));
}

}  // namespace
}  // namespace opbench
