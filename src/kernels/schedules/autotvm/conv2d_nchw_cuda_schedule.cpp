#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/gpu_convolution.h"
#include "kernels/schedules/autotvm/staged_convolution.h"
#include "kernels/schedules/knobs/knob_values.h"

namespace opbench {
namespace {

using Halide::Func;

std::optional<ConvolutionShape> conv2d_nchw_cuda_shape_of(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = plain_convolution(spec);
  return shape && shape->groups == 1 ? shape : std::nullopt;
}

/// TVM takes the config of the most similar shape in its logs.
std::optional<Config> conv2d_nchw_cuda_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = conv2d_nchw_cuda_shape_of(spec);
  if (!shape) return std::nullopt;
  Config config = default_convolution_axes(*shape);
  config["tile_rc"] = largest_divisor(shape->channels, 4);
  config["tile_ry"] = 1;
  config["tile_rx"] = largest_divisor(shape->kernel_w, 3);
  config["auto_unroll_max_step"] = 0;
  config["unroll_explicit"] = 0;
  return config;
}

ConvolutionSlice slice_of(const Config& config) {
  return {.c = config.at("tile_rc"), .ry = config.at("tile_ry"), .rx = config.at("tile_rx")};
}

Result<void> check_conv2d_nchw_cuda_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = conv2d_nchw_cuda_shape_of(spec);
  if (!shape) return Error{ErrorCode::kInvalidInput, "conv2d_nchw_cuda does not take the workload"};
  const Config& config = spec.config;
  OPBENCH_CHECK(check_convolution_axes(spec, *shape));
  OPBENCH_CHECK(check_divisor(config, "tile_rc", shape->channels));
  OPBENCH_CHECK(check_divisor(config, "tile_ry", shape->kernel_h));
  OPBENCH_CHECK(check_divisor(config, "tile_rx", shape->kernel_w));
  const std::vector<GpuAxis> axes = convolution_axes(config);
  return check_group_limits(spec.target, axes, staged_bytes(*shape, axes, slice_of(config)));
}

/// One kernel of AutoTVM's template conv2d_nchw.cuda. Loops over a slice are unrolled up to
/// `auto_unroll_max_step` products.
Func build_conv2d_nchw_cuda(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvolutionShape shape = *conv2d_nchw_cuda_shape_of(spec);
  std::vector<GpuAxis> axes = convolution_axes(spec.config);
  limit_sums(axes);
  const int64_t unrolled =
      std::min(knob_or(spec.config, "auto_unroll_max_step", 0), int64_t{kMostHeldSums});
  return build_staged_convolution(spec, builder, shape, axes, slice_of(spec.config), unrolled);
}

}  // namespace

ScheduleDef conv2d_nchw_cuda_schedule() {
  return {.name = "conv2d_nchw_cuda",
          .summary = "AutoTVM's template conv2d_nchw.cuda, for configs of its logs",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = conv2d_nchw_cuda_default_config,
          .priority = -1,
          .pack = pack_plain_convolution,
          .check_config = check_conv2d_nchw_cuda_config,
          .build = build_conv2d_nchw_cuda};
}

}  // namespace opbench
