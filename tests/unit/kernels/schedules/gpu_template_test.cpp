#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/numbers/random.h"
#include "device_text.h"
#include "gpu_template_tasks.h"
#include "kernel_harness.h"
#include "opencl_harness.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

void expect_right_and_dense(const KernelSpec& spec) {
  SCOPED_TRACE(text_of(spec));
  const auto text = device_text(spec);
  ASSERT_TRUE(text) << to_text(text.error());
  EXPECT_EQ(computed_index(*text), "");
  const auto error = opencl_error(spec);
  ASSERT_TRUE(error) << to_text(error.error());
  EXPECT_LE(*error, 1e-4);
}

class GpuTemplates : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!opencl_missing().empty()) GTEST_SKIP() << opencl_missing();
  }

  static void expect_points(const GpuTemplateTask& task, int count, uint64_t seed = 1) {
    Random random(seed);
    for (int i = 0; i < count; ++i) expect_right_and_dense(valid_point(random, task));
  }
};

constexpr int kGpuTemplatePoints = 5;

TEST_F(GpuTemplates, DenseLargeBatchComputesPointsOfItsSpace) {
  expect_points(large_dense_task(), kGpuTemplatePoints);
}

TEST_F(GpuTemplates, Conv2dNchwComputesPointsOfItsSpace) {
  const std::vector<GpuTemplateTask> tasks = convolution_tasks();
  expect_points(tasks[0], 3);
  expect_points(tasks[1], 1);
  expect_points(tasks[2], 1);
}

TEST_F(GpuTemplates, DepthwiseComputesPointsOfItsSpace) {
  expect_points(depthwise_task(), kGpuTemplatePoints);
}

TEST_F(GpuTemplates, BatchMatmulComputesPointsOfItsSpace) {
  expect_points(batch_matmul_task(), kGpuTemplatePoints);
}

TEST_F(GpuTemplates, DenseSmallBatchComputesPointsOfItsSpace) {
  expect_points({"dense_small_batch_gpu", "dense 3x96 w:40x96 w:40 transB=1", {{"tile_k", 96, 2}}},
                kGpuTemplatePoints);
}

TEST_F(GpuTemplates, DenseMaliComputesPointsOfItsSpace) {
  expect_points({"dense_mali",
                 "dense 24x40 w:48x40 w:48 transB=1; relu",
                 {{"tile_y", 24, 3}, {"tile_x", 48, 3}, {"c_unroll", 40, 2}}},
                kGpuTemplatePoints);
}

TEST_F(GpuTemplates, SpatialPackMaliComputesPointsOfItsSpace) {
  const std::vector<int64_t> none_unroll = {0, 1}, any_word = {0, 1, 2};
  const auto task = [&](size_t vector_position) {
    GpuTemplateTask result{"conv2d_nchw_spatial_pack_mali",
                           "conv2d 1x8x12x14 w:24x8x3x3 w:24 pads=1,1,1,1; relu",
                           {{"tile_co", 24, 3},
                            {"tile_oh", 12, 3},
                            {"tile_ow", 14, 3},
                            {"ann_reduce_0", 0, 0, none_unroll},
                            {"ann_reduce_1", 0, 0, none_unroll}}};
    for (size_t i = 0; i < 3; ++i)
      result.knobs.push_back({"ann_spatial_" + std::to_string(i), 0, 0,
                              i == vector_position ? any_word : none_unroll});
    return result;
  };
  expect_points(task(2), 3);
  expect_points(task(1), 1);
  expect_points(task(0), 1);
}

/// One of our own, whose knobs are no splits: its default config and random points.
void expect_knob_points(const char* schedule, const char* workload, int count) {
  auto spec = kernel_spec(workload, "opencl", schedule, false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  expect_right_and_dense(*spec);
  const std::vector<KnobRange> knobs = (*schedule_table().find(spec->schedule))->knobs(*spec);
  Random random(1);
  for (int i = 1; i < count; ++i) {
    do {
      for (const KnobRange& knob : knobs)
        spec->config[knob.name] =
            knob.values[static_cast<size_t>(random.below(knob.values.size()))];
    } while (!check_spec(*spec));
    expect_right_and_dense(*spec);
  }
}

TEST_F(GpuTemplates, DenseStagedComputesPointsOfItsSpace) {
  for (const char* workload : {"dense 48x40 w:64x40 w:64 transB=1; relu", "matmul 2x10x33 w:33x21"})
    expect_knob_points("dense_staged_gpu", workload, 3);
}

TEST_F(GpuTemplates, Conv2dStagedComputesPointsOfItsSpace) {
  expect_knob_points("conv2d_staged_gpu", "conv2d 1x12x14x14 w:24x12x3x3 w:24 pads=1,1,1,1; relu",
                     3);
  expect_knob_points("conv2d_staged_gpu", "conv2d 2x3x17x19 w:8x3x5x3 strides=2,1", 1);
}

/// 4096 sums a thread: it computes 256 of them at a time.
TEST_F(GpuTemplates, ComputeLargeTilesInParts) {
  auto spec = kernel_spec("dense 64x8 w:64x8 transB=1", "opencl", "dense_large_batch_gpu", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config = {{"tile_x", 16},  {"tile_x_1", 4}, {"tile_x_2", 1}, {"tile_y", 64},
                  {"tile_y_1", 1}, {"tile_y_2", 1}, {"tile_k", 2},   {"tile_k_1", 2}};
  expect_right_and_dense(*spec);
  const auto text = device_text(*spec);
  ASSERT_TRUE(text) << to_text(text.error());
  const auto arrays = private_arrays(*text);
  ASSERT_EQ(arrays.size(), 1U) << *text;
  EXPECT_EQ(arrays.begin()->second, 256);
}

/// Two hundred points each of the templates whose spaces are largest: twenty minutes.
TEST_F(GpuTemplates, ComputeManyPointsOfTheirSpaces) {
  if (std::getenv("OPBENCH_SLOW_TESTS") == nullptr)
    GTEST_SKIP() << "400 kernels, for which a driver takes a second each: OPBENCH_SLOW_TESTS=1";
  expect_points(large_dense_task(), 200, 2);
  const std::vector<GpuTemplateTask> tasks = convolution_tasks();
  expect_points(tasks[0], 100, 3);
  expect_points(tasks[1], 50, 4);
  expect_points(tasks[2], 50, 5);
}

/// Why the config of this knob is refused.
std::string refused(const char* schedule, const char* workload, const std::string& target,
                    const Config& knobs) {
  auto spec = kernel_spec(workload, target, schedule, false);
  if (!spec) return to_text(spec.error());
  for (const auto& [name, value] : knobs) spec->config[name] = value;
  const Result<void> checked = check_spec(*spec);
  return checked ? "nothing" : checked.error().message;
}

TEST(GpuTemplateConfigs, AreRefusedBeforeTheyAreBuilt) {
  const char* dense = "dense 512x512 w:512x512 transB=1";
  const auto large = [&](const std::string& target, const Config& knobs) {
    return refused("dense_large_batch_gpu", dense, target, knobs);
  };
  EXPECT_EQ(large("opencl", {{"tile_x_2", 16}, {"tile_y_2", 16}}), "nothing");
  EXPECT_THAT(large("opencl", {{"tile_x_2", 32}, {"tile_y_2", 32}}),
              HasSubstr("1024 threads of 256"));
  EXPECT_EQ(large("opencl -max_num_threads=1024", {{"tile_x_2", 32}, {"tile_y_2", 32}}), "nothing");
  EXPECT_THAT(large("opencl", {{"tile_x_2", 32}, {"tile_y_2", 4}}),
              HasSubstr("32 and 4 threads along one axis"));
  EXPECT_THAT(large("opencl", {{"tile_k_1", 64}}), HasSubstr("bytes of local memory of 32768"));
  EXPECT_THAT(large("opencl", {{"tile_x", 3}}), HasSubstr("\"tile_x\" is 3"));
  EXPECT_THAT(refused("conv2d_nchw_cuda", "conv2d 1x16x14x14 w:128x16x3x3 pads=1,1,1,1", "opencl",
                      {{"tile_f_2", 128}, {"tile_f", 1}, {"tile_x_2", 1}, {"tile_y_2", 1}}),
              HasSubstr("128 threads of 64 along z"));
}

TEST(GpuGroups, AreOfThreadsThatTheTargetTakes) {
  const char* relu = "relu 1x8x14x14";
  const auto group = [&](const std::string& target) {
    const auto spec = kernel_spec(relu, target, "elementwise_gpu", false);
    return spec ? spec->config.at("group") : 0;
  };
  EXPECT_EQ(group("opencl"), 64);
  EXPECT_EQ(group("opencl -max_num_threads=1024"), 64);
  EXPECT_EQ(group("opencl -max_num_threads=32"), 32);
  EXPECT_EQ(refused("elementwise_gpu", relu, "opencl", {{"group", 256}}), "nothing");
  EXPECT_THAT(refused("elementwise_gpu", relu, "opencl -max_num_threads=32", {{"group", 64}}),
              HasSubstr("the threads of a work group that the target takes"));
}

}  // namespace
}  // namespace opbench
