#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/gpu_convolution.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_operand.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::Var;

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

/// Floats of the input and of the filters in local memory.
struct Conv2dNchwCudaSlice {
  int64_t data = 0;
  int64_t filters = 0;
};

Conv2dNchwCudaSlice slice_of(const ConvolutionShape& s, const Config& config, int64_t x, int64_t y,
                             int64_t f) {
  const int64_t c = config.at("tile_rc");
  const int64_t ry = config.at("tile_ry");
  const int64_t rx = config.at("tile_rx");
  return {.data = c * input_span(y, s.stride_h, ry, s.dilation_h) *
                  input_span(x, s.stride_w, rx, s.dilation_w),
          .filters = f * c * ry * rx};
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
  const Conv2dNchwCudaSlice slice =
      slice_of(*shape, config, axes[0].tile(), axes[1].tile(), axes[2].tile());
  return check_group_limits(spec.target, axes,
                            (slice.data + slice.filters) * static_cast<int64_t>(sizeof(float)));
}

/// One kernel of AutoTVM's template conv2d_nchw.cuda. Loops over a slice are unrolled up to
/// `auto_unroll_max_step` products.
Func build_conv2d_nchw_cuda(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvolutionShape s = *conv2d_nchw_cuda_shape_of(spec);
  const Config& config = spec.config;
  std::vector<GpuAxis> axes = convolution_axes(config);
  limit_sums(axes);
  const Var x("x"), y("y"), f("f"), n("n"), c("c"), u("u"), v("v");
  Func data("data"), filters("filters"), sum("sum"), out("out");
  data(x, y, c, n) = padded_pixel(spec, builder, s, x, y, c, n);
  filters(u, v, c, f) = operand_value(spec, builder, 1, {u, v, c, f});
  const Halide::Region taps = {
      {0, narrow(s.kernel_w)}, {0, narrow(s.kernel_h)}, {0, narrow(s.channels)}};
  const Halide::RDom r(taps, "r");
  sum(x, y, f, n) = 0.0f;
  sum(x, y, f, n) += data(x * narrow(s.stride_w) + r.x * narrow(s.dilation_w),
                          y * narrow(s.stride_h) + r.y * narrow(s.dilation_h), r.z, n) *
                     filters(r.x, r.y, r.z, f);
  out(x, y, f, n) = finished_pixel(spec, builder, sum(x, y, f, n), {x, y, f, n});

  schedule_blocks(out, axes, "n");
  const int64_t unrolled =
      std::min(knob_or(config, "auto_unroll_max_step", 0), int64_t{kMostHeldSums});
  const Halide::RVar slices = schedule_sums(sum, out, axes,
                                            {{"rx", {config.at("tile_rx")}},
                                             {"ry", {config.at("tile_ry")}},
                                             {"rc", {config.at("tile_rc")}}},
                                            {r.x, r.y, r.z}, unrolled);
  const Conv2dNchwCudaSlice slice =
      slice_of(s, config, axes[0].part(), axes[1].part(), axes[2].part());
  data.compute_at(sum, slices);
  filters.compute_at(sum, slices);
  stage_in_runs(data, {x, y, c, n}, slice.data, axes);
  stage_in_runs(filters, {u, v, c, f}, slice.filters, axes);
  return out;
}

}  // namespace

ScheduleDef conv2d_nchw_cuda_schedule() {
  return {.name = "conv2d_nchw_cuda",
          .summary = "AutoTVM's template conv2d_nchw.cuda, for configs of its logs",
          .device_types = {DeviceType::kOpenCl},
          .default_config = conv2d_nchw_cuda_default_config,
          .priority = -1,
          .pack = pack_plain_convolution,
          .check_config = check_conv2d_nchw_cuda_config,
          .build = build_conv2d_nchw_cuda};
}

}  // namespace opbench
