#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "fake_launches.h"
#include "gpu_template_tasks.h"

// Kernels of AutoTVM's templates on the driver of tests: what they launch is what TVM's predicate
// of valid configs counts (docs/reference/config-spaces.md), and no thread has an array in memory.

namespace opbench {
namespace {

constexpr const char* kLaunchTarget = "cuda -arch=sm_75";
constexpr int64_t kFloat = sizeof(float);

/// A knob's part of a split, 1 where it has no such part.
int64_t part_of(const Config& config, const std::string& knob) {
  const auto found = config.find(knob);
  return found == config.end() ? 1 : found->second;
}

/// The product of all sizes of a split but the first.
int64_t tile_of(const Config& config, const std::string& knob) {
  return part_of(config, knob) * part_of(config, knob + "_1") * part_of(config, knob + "_2");
}

/// Extents of a template's axes: of its output, its sum and what it reads.
struct LaunchedShape {
  int64_t rest = 1;  ///< batch
  int64_t x = 1, y = 1, f = 1;
  int64_t stride_x = 1, stride_y = 1;
  int64_t dilation_x = 1, dilation_y = 1;
  int64_t kernel_x = 1, kernel_y = 1;
};

int64_t span_of(int64_t outputs, int64_t stride, int64_t taps, int64_t dilation) {
  return (outputs - 1) * stride + (taps - 1) * dilation + 1;
}

FakeLaunch predicted_convolution(const Config& c, const LaunchedShape& s, bool is_depthwise) {
  const int64_t x = tile_of(c, "tile_x"), y = tile_of(c, "tile_y"), f = tile_of(c, "tile_f");
  const int64_t channels = is_depthwise ? f : part_of(c, "tile_rc");
  const int64_t taps_y = is_depthwise ? s.kernel_y : part_of(c, "tile_ry");
  const int64_t taps_x = is_depthwise ? s.kernel_x : part_of(c, "tile_rx");
  const int64_t pixels =
      span_of(y, s.stride_y, taps_y, s.dilation_y) * span_of(x, s.stride_x, taps_x, s.dilation_x);
  const int64_t filters = (is_depthwise ? f : f * channels) * taps_y * taps_x;
  return {.grid = {s.x / x, s.y / y, s.rest * s.f / f},
          .block = {part_of(c, "tile_x_2"), part_of(c, "tile_y_2"), part_of(c, "tile_f_2")},
          .shared_bytes = kFloat * (channels * pixels + filters)};
}

/// TVM has two buffers of each operand, we have one.
FakeLaunch predicted_large_dense(const Config& c, const LaunchedShape& s) {
  const int64_t x = tile_of(c, "tile_x"), y = tile_of(c, "tile_y"), k = tile_of(c, "tile_k");
  const int64_t of_tvm = 2 * kFloat * k * (x + y);
  return {.grid = {s.x / x, s.y / y, 1},
          .block = {part_of(c, "tile_x_2"), part_of(c, "tile_y_2"), 1},
          .shared_bytes = of_tvm / 2};
}

FakeLaunch predicted_batch_matmul(const Config& c, const LaunchedShape& s) {
  const int64_t x = tile_of(c, "tile_x"), y = tile_of(c, "tile_y");
  return {.grid = {s.x / x, s.y / y, s.rest},
          .block = {part_of(c, "tile_x_1"), part_of(c, "tile_y_1"), 1},
          .shared_bytes = kFloat * part_of(c, "tile_k") * (x + y)};
}

struct LaunchTask {
  GpuTemplateTask task;
  LaunchedShape shape;
  int points = 0;  ///< of five hundred
};

std::vector<LaunchTask> launch_tasks() {
  const std::vector<GpuTemplateTask> convolutions = convolution_tasks();
  return {
      {large_dense_task(), {.x = 64, .y = 96}, 150},
      {convolutions[0], {.x = 14, .y = 14, .f = 24, .kernel_x = 3, .kernel_y = 3}, 100},
      {convolutions[1], {.rest = 2, .x = 7, .y = 8, .f = 8, .stride_x = 2, .stride_y = 2}, 50},
      {convolutions[2],
       {.x = 16, .y = 10, .f = 16, .stride_y = 2, .dilation_x = 2, .kernel_x = 3, .kernel_y = 5},
       50},
      {depthwise_task(), {.x = 14, .y = 14, .f = 24, .kernel_x = 3, .kernel_y = 3}, 75},
      {batch_matmul_task(), {.rest = 3, .x = 24, .y = 32}, 75}};
}

FakeLaunch predicted_launch(const KernelSpec& spec, const LaunchedShape& shape) {
  if (spec.schedule == "dense_large_batch_gpu") return predicted_large_dense(spec.config, shape);
  if (spec.schedule == "batch_matmul_cuda") return predicted_batch_matmul(spec.config, shape);
  return predicted_convolution(spec.config, shape, spec.schedule == "depthwise_conv2d_nchw_cuda");
}

/// Sums of a thread by the config; of more than 256 it holds a part at a time, and stages less.
int64_t sums_of_thread(const KernelSpec& spec) {
  const bool is_batch = spec.schedule == "batch_matmul_cuda";
  int64_t sums = 1;
  for (const char* knob : {"tile_x", "tile_y", "tile_f"}) {
    sums *= part_of(spec.config, knob);
    if (!is_batch) sums *= part_of(spec.config, std::string(knob) + "_1");
  }
  return sums;
}

bool says(const std::string& ptx, const char* words) {
  return ptx.find(words) != std::string::npos;
}

void expect_predicted(const KernelSpec& spec, const LaunchedShape& shape) {
  constexpr int64_t kMostHeld = 256;
  SCOPED_TRACE(text_of(spec));
  const auto run = run_on_fake_driver(spec);
  ASSERT_TRUE(run) << to_text(run.error());
  ASSERT_EQ(run->launches.size(), 1U);
  const FakeLaunch& launch = run->launches.front();
  FakeLaunch predicted = predicted_launch(spec, shape);
  if (sums_of_thread(spec) > kMostHeld) {
    EXPECT_LE(launch.shared_bytes, predicted.shared_bytes);
    predicted.shared_bytes = launch.shared_bytes;
  }
  EXPECT_EQ(launch.block, predicted.block);
  EXPECT_EQ(launch.grid, predicted.grid);
  EXPECT_EQ(launch.shared_bytes, predicted.shared_bytes);
  EXPECT_FALSE(says(run->ptx, ".local")) << "an array in memory";
  EXPECT_TRUE(says(run->ptx, ".maxnreg "));
  EXPECT_EQ(run->module_limits, 0);
}

TEST(CudaLaunches, AreWhatTvmsPredicateCounts) {
  for (const LaunchTask& launched : launch_tasks()) {
    Random random(1);
    for (int i = 0; i < 2; ++i)
      expect_predicted(valid_point(random, launched.task, kLaunchTarget), launched.shape);
  }
}

TEST(CudaLaunches, AreWhatTvmsPredicateCountsOnFiveHundredPoints) {
  if (std::getenv("OPBENCH_SLOW_TESTS") == nullptr)
    GTEST_SKIP() << "500 kernels, which take half a second each: OPBENCH_SLOW_TESTS=1";
  for (const LaunchTask& launched : launch_tasks()) {
    Random random(2);
    for (int i = 0; i < launched.points; ++i)
      expect_predicted(valid_point(random, launched.task, kLaunchTarget), launched.shape);
  }
}

}  // namespace
}  // namespace opbench
