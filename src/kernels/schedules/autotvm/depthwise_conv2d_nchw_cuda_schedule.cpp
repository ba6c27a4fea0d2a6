#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/autotvm/gpu_convolution.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_operand.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::Var;

/// One filter a channel.
std::optional<ConvolutionShape> depthwise_conv2d_nchw_cuda_shape_of(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> s = plain_convolution(spec);
  const bool is_depthwise = s && s->groups == s->channels && s->out_channels == s->channels;
  return is_depthwise ? s : std::nullopt;
}

std::optional<Config> depthwise_conv2d_nchw_cuda_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = depthwise_conv2d_nchw_cuda_shape_of(spec);
  if (!shape) return std::nullopt;
  Config config = default_convolution_axes(*shape);
  config["auto_unroll_max_step"] = 256;
  config["unroll_explicit"] = 0;
  return config;
}

/// Floats of one channel's input in local memory.
int64_t depthwise_conv2d_nchw_cuda_pixels(const ConvolutionShape& s,
                                          const std::vector<GpuAxis>& axes) {
  return input_span(axes[1].tile(), s.stride_h, s.kernel_h, s.dilation_h) *
         input_span(axes[0].tile(), s.stride_w, s.kernel_w, s.dilation_w);
}

Result<void> check_depthwise_conv2d_nchw_cuda_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = depthwise_conv2d_nchw_cuda_shape_of(spec);
  if (!shape)
    return Error{ErrorCode::kInvalidInput, "depthwise_conv2d_nchw_cuda does not take the workload"};
  OPBENCH_CHECK(check_convolution_axes(spec, *shape));
  const std::vector<GpuAxis> axes = convolution_axes(spec.config);
  const int64_t taps = shape->kernel_h * shape->kernel_w;
  const int64_t floats = axes[2].tile() * (depthwise_conv2d_nchw_cuda_pixels(*shape, axes) + taps);
  return check_group_limits(spec.target, axes, floats * static_cast<int64_t>(sizeof(float)));
}

/// One kernel of AutoTVM's template depthwise_conv2d_nchw.cuda: a block stages its whole input and
/// its filters before it begins.
Func build_depthwise_conv2d_nchw_cuda(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvolutionShape s = *depthwise_conv2d_nchw_cuda_shape_of(spec);
  std::vector<GpuAxis> axes = convolution_axes(spec.config);
  limit_sums(axes);
  const Var x("x"), y("y"), f("f"), n("n"), u("u"), v("v");
  Func data("data"), filters("filters"), sum("sum"), out("out");
  data(x, y, f, n) = padded_pixel(spec, builder, s, x, y, f, n);
  filters(u, v, f) = operand_value(spec, builder, 1, {u, v, 0, f});
  const Halide::Region taps = {{0, narrow(s.kernel_w)}, {0, narrow(s.kernel_h)}};
  const Halide::RDom r(taps, "r");
  sum(x, y, f, n) = 0.0f;
  sum(x, y, f, n) += data(x * narrow(s.stride_w) + r.x * narrow(s.dilation_w),
                          y * narrow(s.stride_h) + r.y * narrow(s.dilation_h), f, n) *
                     filters(r.x, r.y, f);
  out(x, y, f, n) = finished_pixel(spec, builder, sum(x, y, f, n), {x, y, f, n});

  schedule_blocks(out, axes, "n");
  const int64_t unrolled =
      std::min(knob_or(spec.config, "auto_unroll_max_step", 0), int64_t{kMostHeldSums});
  schedule_sums(sum, out, axes, {{"rx", {s.kernel_w}}, {"ry", {s.kernel_h}}}, {r.x, r.y}, unrolled);
  const Var block(axes[0].name + "b");
  data.compute_at(out, block);
  filters.compute_at(out, block);
  const int64_t pixels = depthwise_conv2d_nchw_cuda_pixels(s, axes);
  stage_in_runs(data, {x, y, f, n}, pixels * axes[2].tile(), axes);
  stage_in_runs(filters, {u, v, f}, s.kernel_h * s.kernel_w * axes[2].tile(), axes);
  return out;
}

}  // namespace

ScheduleDef depthwise_conv2d_nchw_cuda_schedule() {
  return {.name = "depthwise_conv2d_nchw_cuda",
          .summary = "AutoTVM's template depthwise_conv2d_nchw.cuda, for configs of its logs",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = depthwise_conv2d_nchw_cuda_default_config,
          .priority = -1,
          .pack = pack_plain_convolution,
          .check_config = check_depthwise_conv2d_nchw_cuda_config,
          .build = build_depthwise_conv2d_nchw_cuda};
}

}  // namespace opbench
