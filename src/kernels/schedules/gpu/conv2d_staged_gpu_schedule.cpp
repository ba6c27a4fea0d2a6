#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/gpu_convolution.h"
#include "kernels/schedules/autotvm/staged_convolution.h"
#include "kernels/schedules/knobs/knob_values.h"

namespace opbench {
namespace {

constexpr int64_t kConvStagedMostThreads = 16;  // along an axis
constexpr int64_t kConvStagedMostSide = 8;      // sums of a thread along an axis
constexpr int64_t kConvStagedMostSlice = 16;    // channels that are staged at a time
constexpr int64_t kConvStagedGroup = 256;       // threads that every GPU takes

std::optional<ConvolutionShape> conv2d_staged_shape(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = plain_convolution(spec);
  return shape && shape->groups == 1 ? shape : std::nullopt;
}

/// A row's neighbours are x of the group, so that neighbouring threads write neighbours.
std::vector<GpuAxis> conv2d_staged_axes(const Config& config) {
  return {{.name = "x", .threads = config.at("threads_x"), .inner = config.at("tile_x")},
          {.name = "y", .threads = config.at("threads_y")},
          {.name = "f", .threads = config.at("threads_f"), .inner = config.at("tile_f")}};
}

ConvolutionSlice conv2d_staged_slice(const ConvolutionShape& shape, const Config& config) {
  return {.c = config.at("slice"), .ry = shape.kernel_h, .rx = shape.kernel_w};
}

/// As many threads of a tile of channels as the image leaves.
std::optional<Config> conv2d_staged_gpu_default_config(const KernelSpec& spec) {
  constexpr int64_t kDefaultPixels = 4, kDefaultRows = 8, kDefaultChannels = 8;
  const std::optional<ConvolutionShape> shape = conv2d_staged_shape(spec);
  if (!shape) return std::nullopt;
  const int64_t tile_x = largest_divisor(shape->out_width, kDefaultPixels);
  const int64_t x = largest_divisor(shape->out_width / tile_x, kConvStagedMostThreads);
  const int64_t y = largest_divisor(shape->out_height, kDefaultRows);
  const int64_t z = std::min(group_limits(spec.target).threads_z, kConvStagedGroup / (x * y));
  const int64_t f = largest_divisor(shape->out_channels, z);
  Config config = {{"threads_x", x},
                   {"threads_y", y},
                   {"threads_f", f},
                   {"tile_x", tile_x},
                   {"tile_f", largest_divisor(shape->out_channels / f, kDefaultChannels)},
                   {"slice", largest_divisor(shape->channels, kConvStagedMostSlice / 2)}};
  // Large filters leave room for few channels.
  const auto bytes = [&] {
    return staged_bytes(*shape, conv2d_staged_axes(config), conv2d_staged_slice(*shape, config));
  };
  while (config.at("slice") > 1 && bytes() > group_limits(spec.target).local_bytes / 2) {
    config["slice"] = largest_divisor(shape->channels, config.at("slice") - 1);
  }
  if (bytes() > group_limits(spec.target).local_bytes) return std::nullopt;
  return config;
}

std::vector<KnobRange> conv2d_staged_gpu_knobs(const KernelSpec& spec) {
  const ConvolutionShape shape = *conv2d_staged_shape(spec);
  return {{"threads_x", divisors(shape.out_width, kConvStagedMostThreads)},
          {"threads_y", divisors(shape.out_height, kConvStagedMostThreads)},
          {"threads_f", divisors(shape.out_channels, kConvStagedMostThreads)},
          {"tile_x", divisors(shape.out_width, kConvStagedMostSide)},
          {"tile_f", divisors(shape.out_channels, kConvStagedMostSide)},
          {"slice", divisors(shape.channels, kConvStagedMostSlice)}};
}

Result<void> check_conv2d_staged_gpu_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = conv2d_staged_shape(spec);
  if (!shape)
    return Error{ErrorCode::kInvalidInput, "conv2d_staged_gpu does not take the workload"};
  const Config& config = spec.config;
  OPBENCH_CHECK(check_divisor(config, "threads_x", shape->out_width));
  OPBENCH_CHECK(check_divisor(config, "threads_y", shape->out_height));
  OPBENCH_CHECK(check_divisor(config, "threads_f", shape->out_channels));
  OPBENCH_CHECK(check_divisor(config, "tile_x", shape->out_width / config.at("threads_x")));
  OPBENCH_CHECK(check_divisor(config, "tile_f", shape->out_channels / config.at("threads_f")));
  OPBENCH_CHECK(check_divisor(config, "slice", shape->channels));
  const std::vector<GpuAxis> axes = conv2d_staged_axes(config);
  OPBENCH_CHECK(check_sums(sums_of(axes), kMostHeldSums));
  return check_group_limits(spec.target, axes,
                            staged_bytes(*shape, axes, conv2d_staged_slice(*shape, config)));
}

/// A block computes a tile of pixels and channels. Its threads stage some channels of the input and
/// of the filters in local memory, and each adds to its own tile of sums.
Halide::Func build_conv2d_staged_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvolutionShape shape = *conv2d_staged_shape(spec);
  return build_staged_convolution(spec, builder, shape, conv2d_staged_axes(spec.config),
                                  conv2d_staged_slice(shape, spec.config), kMostHeldSums);
}

}  // namespace

/// Below convolution_gpu where local memory is global memory (PoCL, Mali).
ScheduleDef conv2d_staged_gpu_schedule() {
  return {.name = "conv2d_staged_gpu",
          .summary = "2-D convolution, operands staged in local memory",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = conv2d_staged_gpu_default_config,
          .knobs = conv2d_staged_gpu_knobs,
          .priority = 4,
          .priority_on_cuda = 6,
          .pack = pack_plain_convolution,
          .check_config = check_conv2d_staged_gpu_config,
          .build = build_conv2d_staged_gpu};
}

}  // namespace opbench
