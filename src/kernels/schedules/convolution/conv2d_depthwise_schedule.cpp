#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_parts.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/thread_share.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// Unrolled multiply-adds above which compiling takes too long.
constexpr int64_t kConv2dDepthwiseMostTaps = 400;

bool takes_conv2d_depthwise(const KernelSpec& spec, const ConvolutionShape& shape) {
  const int64_t block = float_lanes(spec.target);
  return shape.groups == shape.channels && shape.out_channels == shape.channels &&
         shape.groups > 1 && shape.kernel_h * shape.kernel_w <= kConv2dDepthwiseMostTaps &&
         spec.output_layout().block == block && input_layout(spec).block == block &&
         can_epilogue(spec);
}

/// A tuner's tiles are at most that large.
constexpr int64_t kConv2dDepthwiseMostColumns = 16;
constexpr int64_t kConv2dDepthwiseMostRows = 4;

/// Pixels of a row computed together: few, as every pixel's taps are unrolled.
int64_t conv2d_depthwise_tile_width(const KernelSpec& spec, const ConvolutionShape& shape) {
  const int64_t taps = shape.kernel_h * shape.kernel_w;
  const int64_t most = std::clamp<int64_t>(kConv2dDepthwiseMostTaps / taps, 1, 8);
  const bool has_many_registers = vector_isa(spec.target) == VectorIsa::kAvx512;
  const int64_t wide = has_many_registers ? 7 : 4;
  if (shape.out_width <= 28 && shape.out_width % 7 == 0 && most >= wide) return wide;
  return std::min({shape.out_width, most, int64_t{4}});
}

/// Parts of the rows of a channel block that run in parallel: so few that threads share them
/// evenly, as a row takes no longer than its turn; for one thread so many that some would have
/// tasks.
int64_t row_tasks_of(const KernelSpec& spec, const ConvolutionShape& shape) {
  constexpr int64_t kTasks = 8;
  const int64_t planes = ceil_div(shape.channels, float_lanes(spec.target)) * shape.batch;
  if (spec.threads > 1)
    return even_parts(shape.out_height, planes, 1, shape.out_height, spec.threads);
  return std::min(ceil_div(kTasks, planes), shape.out_height);
}

/// Knobs: `tile_x`, `tile_y`, pixels that are computed together; `row_tasks`.
std::optional<Config> conv2d_depthwise_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = convolution_shape(spec.workload);
  if (!shape || !takes_conv2d_depthwise(spec, *shape)) return std::nullopt;
  return Config{{"tile_x", conv2d_depthwise_tile_width(spec, *shape)},
                {"tile_y", 1},
                {"row_tasks", row_tasks_of(spec, *shape)}};
}

std::vector<KnobRange> conv2d_depthwise_knobs(const KernelSpec& spec) {
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  return {{"tile_x", numbers(1, std::min(shape.out_width, kConv2dDepthwiseMostColumns))},
          {"tile_y", numbers(1, std::min(shape.out_height, kConv2dDepthwiseMostRows))},
          {"row_tasks", doublings(shape.out_height, row_tasks_of(spec, shape))}};
}

/// All taps as one sum; those outside fold to nothing in the unrolled tiles at the edges.
Expr taps_sum(const ConvolutionShape& s, const Func& data, const Halide::Func& weights,
              const std::vector<Var>& v, const Expr& bias) {
  Expr sum = bias;
  for (int ky = 0; ky < narrow(s.kernel_h); ++ky)
    for (int kx = 0; kx < narrow(s.kernel_w); ++kx) {
      const Expr x = v[1] * narrow(s.stride_w) + (kx * narrow(s.dilation_w) - narrow(s.pad_left));
      const Expr y = v[2] * narrow(s.stride_h) + (ky * narrow(s.dilation_h) - narrow(s.pad_top));
      sum = sum + data(v[0], x, y, v[3], v[4]) * weights(v[0], kx, ky, v[3]);
    }
  return sum;
}

Func build_conv2d_depthwise(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvolutionShape s = *convolution_shape(spec.workload);
  Var ci("ci"), x("x"), y("y"), cb("cb"), n("n"), xo("xo"), xi("xi"), yo("yo"), yi("yi");
  Var part("part"), task("task");
  const std::vector<Var> v{ci, x, y, cb, n};
  const int block = builder.lanes();
  const Halide::Func in = builder.operand(*input_index(spec.workload, 0, 0));
  const Halide::Func weights =
      builder.packed(*input_index(spec.workload, 0, 1),
                     {block, s.kernel_w, s.kernel_h, ceil_div(s.channels, block)});
  const Halide::Range all{Expr(), Expr()};
  const Halide::Range columns = s.pads_columns() ? Halide::Range{0, narrow(s.width)} : all;
  const Halide::Range rows = s.pads_rows() ? Halide::Range{0, narrow(s.height)} : all;
  const Func data = Halide::BoundaryConditions::constant_exterior(
      in, 0.0f, Halide::Region{all, columns, rows, all, all});
  const Expr sum = taps_sum(s, data, weights, v, bias_value(spec, builder, ci, cb));
  Func out("out");
  out(ci, x, y, cb, n) = builder.epilogue(sum, {ci, x, y, cb, n});
  const int tile_x = narrow(spec.config.at("tile_x"));
  const int tile_y = narrow(spec.config.at("tile_y"));
  out.bound(ci, 0, block).vectorize(ci);
  out.split(x, xo, xi, tile_x, Halide::TailStrategy::ShiftInwards);
  out.split(y, yo, yi, tile_y, Halide::TailStrategy::ShiftInwards);
  const int64_t tiles = ceil_div(s.out_height, int64_t{tile_y});
  out.split(yo, part, yo, narrow(ceil_div(tiles, spec.config.at("row_tasks"))),
            Halide::TailStrategy::GuardWithIf);
  out.reorder(ci, xi, yi, xo, yo, cb, n, part).unroll(xi).unroll(yi);
  out.fuse(cb, n, task).fuse(task, part, task).parallel(task);
  return out;
}

Result<void> check_conv2d_depthwise_config(const KernelSpec& spec) {
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  const int64_t tile_x = spec.config.at("tile_x");
  const int64_t tile_y = spec.config.at("tile_y");
  const int64_t taps = shape.kernel_h * shape.kernel_w;
  OPBENCH_CHECK(check_range(spec.config, "tile_x", 1, shape.out_width, "the output's width"));
  OPBENCH_CHECK(check_range(spec.config, "tile_y", 1, shape.out_height, "the output's height"));
  OPBENCH_CHECK(check_range(spec.config, "row_tasks", 1, ceil_div(shape.out_height, tile_y),
                            "the number of rows of tiles"));
  if (tile_x * tile_y * taps > kConv2dDepthwiseMostTaps)
    return Error{ErrorCode::kInvalidInput, "a tile of " + std::to_string(tile_x * tile_y * taps) +
                                               " unrolled taps; at most " +
                                               std::to_string(kConv2dDepthwiseMostTaps)};
  return {};
}

/// w[c, 1, ky, kx] as (c in block, kx, ky, block), innermost first.
Tensor pack_conv2d_depthwise_weights(const KernelSpec& spec, const Tensor& weight) {
  const int64_t block = spec.output_layout().block;
  const WeightView w = weight_view(weight);
  const int64_t blocks = ceil_div(w.out_channels, block);
  const int64_t taps = w.height * w.width;
  Tensor packed = Tensor::empty({DataType::kFloat32, {blocks, w.height, w.width, block}});
  float* to = packed.as<float>().data();
  for (int64_t first = 0; first < blocks * block; first += block)
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t c = first; c < first + block; ++c)
        *to++ = c < w.out_channels ? w.filter(c, 0)[tap] : 0.0f;
  return packed;
}

Result<Tensor> pack_conv2d_depthwise(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_convolution(spec, index, weight, pack_conv2d_depthwise_weights);
}

}  // namespace

ScheduleDef conv2d_depthwise_schedule() {
  return {
      .name = "conv2d_depthwise",
      .summary = "Channel-blocked depthwise convolution, all taps of a few pixels unrolled",
      .default_config = conv2d_depthwise_default_config,
      .knobs = conv2d_depthwise_knobs,
      .priority = 40,
      .pack = pack_conv2d_depthwise,
      .check_config = check_conv2d_depthwise_config,
      .build = build_conv2d_depthwise,
  };
}

}  // namespace opbench
