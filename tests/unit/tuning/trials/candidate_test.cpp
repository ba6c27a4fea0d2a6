#include "tuning/trials/candidate.h"

#include <gmock/gmock.h>

#include "base/numbers/random.h"
#include "kernels/tasks/task_arguments.h"
#include "kernels/tasks/templates/cuda/cuda_limits.h"
#include "machine/target/parse_target.h"
#include "tuning/trials/task_workload.h"

namespace opbench {
namespace {

Task convolution_task(const std::string& name, const Shape& data, const Shape& kernel,
                      int64_t dilation = 1) {
  const AnchorCall call{.op = "nn.conv2d",
                        .data = {DataType::kFloat32, data},
                        .weight = {DataType::kFloat32, kernel},
                        .strides = {1, 1},
                        .padding = {1, 1, 1, 1},
                        .dilation = {dilation, dilation}};
  return {name, blocked_convolution_arguments(call), host_target()};
}

Task candidate_dense_task(const std::string& name) {
  const AnchorCall call{.op = "nn.dense",
                        .data = {DataType::kFloat32, {4, 8}},
                        .weight = {DataType::kFloat32, {12, 8}}};
  return {name, dense_arguments(call), host_target()};
}

TEST(TaskWorkload, IsTheConvolutionOfTheArguments) {
  const Task task = convolution_task("conv2d_NCHWc.x86", {1, 16, 14, 14}, {32, 16, 3, 3}, 2);
  EXPECT_EQ(text_of(*workload_of_task(task)),
            "conv2d 1x16x14x14 w:32x16x3x3 dilations=2,2 pads=1,1,1,1");
}

TEST(TaskWorkload, HasAFilterAChannelWhereItIsDepthwise) {
  const Task task = convolution_task("depthwise_conv2d_NCHWc.x86", {1, 16, 14, 14}, {16, 1, 3, 3});
  EXPECT_EQ(text_of(*workload_of_task(task)), "conv2d 1x16x14x14 w:16x1x3x3 group=16 pads=1,1,1,1");
}

TEST(TaskWorkload, IsADenseLayer) {
  EXPECT_EQ(text_of(*workload_of_task(candidate_dense_task("dense_pack.x86"))),
            "dense 4x8 w:12x8 transB=1");
}

TEST(TaskWorkload, RefusesOtherTypes) {
  Task task = convolution_task("conv2d_NCHWc.x86", {1, 16, 14, 14}, {32, 16, 3, 3});
  task.arguments.front().text = "int8";
  const auto workload = workload_of_task(task);
  ASSERT_FALSE(workload);
  EXPECT_THAT(workload.error().message, testing::HasSubstr("int8"));
}

TEST(TunableTask, RefusesATemplateWithoutASchedule) {
  const auto tunable = tunable_task({"conv3d_ncdhw.x86", {}, host_target()}, 0);
  ASSERT_FALSE(tunable);
  EXPECT_THAT(tunable.error().message, testing::HasSubstr("conv3d_ncdhw.x86"));
}

TEST(Candidate, TakesTheBlocksOfItsLayoutsFromTheKnobs) {
  const Task task = convolution_task("conv2d_NCHWc.x86", {1, 16, 14, 14}, {32, 16, 3, 3});
  const TunableTask tunable = *tunable_task(task, 0);
  EXPECT_EQ(tunable.size, 360);
  const KnobConfig config = *config_at(tunable.space, 118);
  const KernelSpec spec = *candidate_of(tunable, config);
  EXPECT_EQ(spec.schedule, "conv2d_nchwc_x86");
  EXPECT_EQ(spec.config.at("tile_ic"), config.knobs[0].value.items.back().integer);
  EXPECT_EQ(spec.layouts.front().block, spec.config.at("tile_ic"));
  EXPECT_EQ(spec.layouts.back().block, spec.config.at("tile_oc"));
  EXPECT_EQ(spec.layouts[1].block, 0);
}

TEST(Candidate, CanBeBuiltForEveryConfigOfAPlainConvolution) {
  const Task task = convolution_task("conv2d_NCHWc.x86", {1, 16, 14, 14}, {32, 16, 3, 3});
  const TunableTask tunable = *tunable_task(task, 0);
  for (uint64_t index = 0; index < tunable.size; ++index) {
    EXPECT_TRUE(candidate_of(tunable, *config_at(tunable.space, index))) << index;
  }
}

TEST(Candidate, IsRefusedWhereItsBlocksDoNotDivideTheChannels) {
  const Task task = convolution_task("conv2d_NCHWc.x86", {1, 16, 14, 14}, {32, 16, 3, 3});
  const TunableTask tunable = *tunable_task(task, 0);
  KnobConfig config = *config_at(tunable.space, 118);
  config.knobs[0].value.items.back() = Argument::of_int(5);
  EXPECT_FALSE(candidate_of(tunable, config));
}

TEST(Candidate, IsExpectedToBeSlowWithOneChannelAVector) {
  for (const Shape& kernel : {Shape{32, 16, 3, 3}, Shape{32, 16, 1, 1}}) {
    const Task task = convolution_task("conv2d_NCHWc.x86", {1, 16, 14, 14}, kernel);
    const TunableTask tunable = *tunable_task(task, 0);
    const auto estimate = estimate_of(tunable);
    double narrow = 0, wide = 0;  // the best of either
    for (uint64_t index = 0; index < tunable.size; ++index) {
      const double time = estimate(index);
      EXPECT_GT(time, 0) << index;
      const KnobConfig config = *config_at(tunable.space, index);
      double& best = candidate_of(tunable, config)->config.at("tile_oc") == 1 ? narrow : wide;
      best = best == 0 ? time : std::min(best, time);
    }
    EXPECT_GT(narrow, 3 * wide);  // four lanes at least
  }
}

TEST(Candidate, HasAnEstimateForEveryConfigOfADenseLayer) {
  for (const char* name : {"dense_nopack.x86", "dense_pack.x86"}) {
    const TunableTask tunable = *tunable_task(candidate_dense_task(name), 0);
    for (uint64_t index = 0; index < tunable.size; ++index) {
      EXPECT_GT(estimate_of(tunable)(index), 0) << name << " " << index;
    }
  }
}

/// The limits of the machine that TVM's logs are from.
Target gpu_target() {
  return *parse_target("opencl -max_num_threads=1024 -max_shared_memory_per_block=49152");
}

std::vector<Task> gpu_tasks() {
  const AnchorCall conv{.op = "nn.conv2d",
                        .data = {DataType::kFloat32, {1, 16, 28, 28}},
                        .weight = {DataType::kFloat32, {128, 16, 3, 3}},
                        .strides = {1, 1},
                        .padding = {1, 1, 1, 1},
                        .dilation = {1, 1}};
  const AnchorCall depthwise{.op = "nn.conv2d",
                             .data = {DataType::kFloat32, {1, 96, 56, 56}},
                             .weight = {DataType::kFloat32, {96, 1, 3, 3}},
                             .strides = {1, 1},
                             .padding = {1, 1, 1, 1},
                             .dilation = {1, 1},
                             .groups = 96};
  const AnchorCall dense{.op = "nn.dense",
                         .data = {DataType::kFloat32, {128, 768}},
                         .weight = {DataType::kFloat32, {3072, 768}}};
  return {{"conv2d_nchw.cuda", convolution_arguments(conv), gpu_target()},
          {"depthwise_conv2d_nchw.cuda", convolution_arguments(depthwise), gpu_target()},
          {"dense_large_batch.gpu", dense_arguments(dense), gpu_target()},
          {"dense_small_batch.gpu", dense_arguments(dense), gpu_target()}};
}

/// TVM's rule of what a GPU can run is written a second time in our schedules, which know the
/// splits by other names.
TEST(Candidate, OfAGpuIsRefusedAsTvmRefusesIt) {
  constexpr int kConfigs = 500;
  for (const Task& task : gpu_tasks()) {
    const auto tunable = tunable_task(task, 0);
    ASSERT_TRUE(tunable) << to_text(tunable.error());
    const auto demands = GpuDemands::make(task);
    ASSERT_TRUE(demands && *demands) << task.name;
    Random random(1);
    int taken = 0;
    for (int i = 0; i < kConfigs; ++i) {
      const KnobConfig config = *config_at(tunable->space, random.below(tunable->size));
      const GpuDemand demand = (*demands)->of(config).value();
      const auto candidate = candidate_of(*tunable, config);
      EXPECT_EQ(candidate.has_value(), can_be_met(demand))
          << task.name << ": " << (candidate ? "" : to_text(candidate.error())) << " "
          << fault_of(demand);
      taken += candidate ? 1 : 0;
    }
    EXPECT_GT(taken, 0) << task.name;
  }
}

/// Permutations and annotations of a template for Mali have a knob for every position.
TEST(Candidate, HasAKnobForEveryWordOfAnAnnotation) {
  AnchorCall call{.op = "nn.conv2d",
                  .data = {DataType::kFloat32, {1, 16, 14, 14}},
                  .weight = {DataType::kFloat32, {32, 16, 3, 3}},
                  .strides = {1, 1},
                  .padding = {1, 1, 1, 1},
                  .dilation = {1, 1}};
  const Task task{"conv2d_nchw_spatial_pack.mali", convolution_arguments(call), gpu_target()};
  const auto tunable = tunable_task(task, 0);
  ASSERT_TRUE(tunable) << to_text(tunable.error());
  KnobConfig config = *config_at(tunable->space, 0);
  for (KnobValue& knob : config.knobs) {
    if (knob.name != "ann_spatial") continue;
    knob.value = Argument::of_tuple(
        {Argument::of_string("none"), Argument::of_string("unroll"), Argument::of_string("vec")});
  }
  const auto candidate = candidate_of(*tunable, config);
  ASSERT_TRUE(candidate) << to_text(candidate.error());
  EXPECT_EQ(candidate->config.at("ann_spatial_0"), 0);
  EXPECT_EQ(candidate->config.at("ann_spatial_1"), 1);
  EXPECT_EQ(candidate->config.at("ann_spatial_2"), 2);
  EXPECT_EQ(candidate->config.at("reorder_0_9"), 9);
  EXPECT_EQ(candidate->config.at("tile_co"), 1);
  EXPECT_EQ(candidate->config.at("tile_co_1"), 1);
}

}  // namespace
}  // namespace opbench
