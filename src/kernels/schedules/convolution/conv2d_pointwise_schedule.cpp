#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_parts.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/ahead_knob.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/thread_share.h"
#include "kernels/schedules/knobs/tile_rule.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// A matrix of weights times one of pixels: those of all rows in one.
struct Matrices {
  int64_t batch = 0;
  int64_t channels = 0;
  int64_t in_blocks = 0;
  int64_t out_blocks = 0;
  int64_t pixels = 0;
  int64_t width = 0;  ///< pixels in a row of the result
};

Matrices matrices_of(const KernelSpec& spec) {
  const ConvolutionShape s = *convolution_shape(spec.workload);
  const int64_t block = float_lanes(spec.target);
  return {.batch = s.batch,
          .channels = s.channels,
          .in_blocks = ceil_div(s.channels, block),
          .out_blocks = ceil_div(s.out_channels, block),
          .pixels = s.out_height * s.out_width,
          .width = s.out_width};
}

struct Conv2dPointwiseKnobs {
  int64_t tile_x = 1;       ///< neighbouring pixels, and
  int64_t tile_co = 1;      ///< channel blocks whose products are summed in registers together
  int64_t pixel_tasks = 1;  ///< parts of the pixels that run in parallel
};

constexpr int64_t kMostPixelTasks = 64;

/// Its rounds read the same weights.
constexpr const char* kConv2dPointwisePixelTilesLoop = "po";

/// So few that a task's pixels stay in a core's own cache, and that threads share them evenly; for
/// one thread so many that some would have tasks.
int64_t pixel_tasks_of(const Matrices& m, const RegisterTile& tile, int64_t block, int threads) {
  constexpr int64_t kCached = 512 << 10;
  constexpr int64_t kTasks = 8;
  const int64_t tiles = ceil_div(m.pixels, tile.pixels);
  const int64_t bytes = tile.pixels * m.in_blocks * block * 4;
  const int64_t panels = m.out_blocks / tile.vectors * m.batch;
  const int64_t most = std::min(tiles, kMostPixelTasks);
  const int64_t cached = std::min(ceil_div(tiles * bytes, kCached), most);
  if (threads > 1) return even_parts(tiles, panels, cached, most, threads);
  return std::clamp(ceil_div(kTasks, panels), cached, most);
}

/// True where every value that is copied because of a stride is used often.
bool pays_conv2d_pointwise(const KernelSpec& spec, const ConvolutionShape& s) {
  constexpr int64_t kUses = 16;  // vectors of output channels
  return !s.has_stride() || s.out_channels >= kUses * float_lanes(spec.target);
}

int64_t conv2d_pointwise_weights_of(const ConvolutionShape& s) {
  return s.channels * s.out_channels;
}

std::optional<Config> conv2d_pointwise_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = convolution_shape(spec.workload);
  if (!shape || !is_blocked_pointwise(spec, *shape) || !pays_conv2d_pointwise(spec, *shape))
    return std::nullopt;
  const Matrices m = matrices_of(spec);
  const RegisterTile tile = best_tile(spec.target, m.pixels, m.out_blocks);
  return with_ahead(
      {{"tile_x", tile.pixels},
       {"tile_co", tile.vectors},
       {"pixel_tasks", pixel_tasks_of(m, tile, float_lanes(spec.target), spec.threads)}},
      spec.target, conv2d_pointwise_weights_of(*shape));
}

std::vector<KnobRange> conv2d_pointwise_knobs(const KernelSpec& spec) {
  const Matrices m = matrices_of(spec);
  const int64_t tasks = conv2d_pointwise_default_config(spec)->at("pixel_tasks");
  return with_ahead({{"tile_x", numbers(1, std::min(m.pixels, most_sums(spec.target)))},
                     {"tile_co", divisors(m.out_blocks, kMostTileVectors)},
                     {"pixel_tasks", doublings(std::min(kMostPixelTasks, m.pixels), tasks)}},
                    spec.target, conv2d_pointwise_weights_of(*convolution_shape(spec.workload)));
}

Conv2dPointwiseKnobs conv2d_pointwise_knobs_of(const KernelSpec& spec) {
  const auto knob = [&](const char* name) { return spec.config.at(name); };
  return {knob("tile_x"), knob("tile_co"), knob("pixel_tasks")};
}

Result<void> check_conv2d_pointwise_config(const KernelSpec& spec) {
  const Matrices m = matrices_of(spec);
  const Conv2dPointwiseKnobs k = conv2d_pointwise_knobs_of(spec);
  OPBENCH_CHECK(check_range(spec.config, "tile_x", 1, m.pixels, "the number of pixels"));
  OPBENCH_CHECK(
      check_divisor(spec.config, "tile_co", m.out_blocks, "the number of channel blocks"));
  OPBENCH_CHECK(check_range(spec.config, "pixel_tasks", 1, ceil_div(m.pixels, k.tile_x),
                            "the number of tiles"));
  return check_sums(k.tile_x * k.tile_co, most_sums(spec.target));
}

/// The pixels of the image that the result has, one row behind the other: where there is no stride
/// those of the operand, whose column runs on into the rows, else a copy.
Func pixels_of(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvolutionShape s = *convolution_shape(spec.workload);
  const Halide::Func in = builder.operand(*input_index(spec.workload, 0, 0));
  const Var ci("ci"), p("p"), cb("cb"), n("n"), x("x"), task("task");
  Func pixels("pixels");
  if (!s.has_stride()) {
    pixels(ci, p, cb, n) = in(ci, p, 0, cb, n);
    return pixels;
  }
  const int width = narrow(s.out_width);
  pixels(ci, p, cb, n) =
      in(ci, p % width * narrow(s.stride_w), p / width * narrow(s.stride_h), cb, n);
  pixels.compute_root().split(p, p, x, width).vectorize(ci, builder.lanes());
  pixels.fuse(cb, n, task).parallel(task);
  return pixels;
}

/// The sum over channels at pixel `p`.
Expr conv2d_pointwise_product(const KernelSpec& spec, KernelBuilder& builder, const RDom& r,
                              const std::vector<Var>& v) {
  const Matrices m = matrices_of(spec);
  const int block = builder.lanes();
  const int tile_co = narrow(conv2d_pointwise_knobs_of(spec).tile_co);
  const Func pixels = pixels_of(spec, builder);
  const Halide::Func weights =
      builder.packed_stream(*input_index(spec.workload, 0, 1),
                            {block, tile_co, block, m.in_blocks, m.out_blocks / tile_co},
                            {kConv2dPointwisePixelTilesLoop});
  const Expr ci = v[0], p = v[1], co = v[2], n = v[3];
  return pixels(r[0], p, r[1], n) * weights(ci, co % tile_co, r[0], r[1], co / tile_co);
}

Func build_conv2d_pointwise(const KernelSpec& spec, KernelBuilder& builder) {
  const Matrices m = matrices_of(spec);
  const Conv2dPointwiseKnobs k = conv2d_pointwise_knobs_of(spec);
  const int block = builder.lanes();
  const int64_t steps = ceil_div(ceil_div(m.pixels, k.tile_x), k.pixel_tasks);
  const Var ci("ci"), p("p"), co("co"), n("n"), po(kConv2dPointwisePixelTilesLoop), pi("pi"),
      pt("pt"), co_tile("co_tile"), co_in("co_in"), task("task");
  RDom r(0, block, 0, narrow(m.in_blocks));
  if (m.channels % block != 0) r.where(r[0] < narrow(m.channels) - r[1] * block);
  Func sum("sum"), out("out");
  sum(ci, p, co, n) = bias_value(spec, builder, ci, co);
  sum(ci, p, co, n) += conv2d_pointwise_product(spec, builder, r, {ci, p, co, n});
  const std::vector<Expr> place = unflatten(p, {m.width, m.pixels / m.width});
  out(ci, p, co, n) = builder.epilogue(sum(ci, p, co, n), {ci, place[0], place[1], co, n});
  builder.set_output_extents({block, m.pixels, m.out_blocks, m.batch});
  out.bound(ci, 0, block).vectorize(ci);
  out.split(p, po, pi, narrow(k.tile_x), TailStrategy::ShiftInwards)
      .split(po, pt, po, narrow(steps), TailStrategy::GuardWithIf)
      .split(co, co_tile, co_in, narrow(k.tile_co), TailStrategy::RoundUp)
      .reorder(ci, co_in, pi, po, co_tile, pt, n)
      .unroll(co_in)
      .unroll(pi)
      .fuse(co_tile, pt, task)
      .fuse(task, n, task)
      .parallel(task);
  sum.compute_at(out, po).vectorize(ci).unroll(p).unroll(co);
  sum.update().reorder(ci, co, p, r[0], r[1]).vectorize(ci).unroll(co).unroll(p);
  if (m.channels % block == 0) sum.update().unroll(r[0], unrolled_steps(block));
  return out;
}

/// w[o, i] as (o in block, block in tile, i in block, i block, tile), innermost first; zeros where
/// channels are missing.
Tensor pack_conv2d_pointwise_weights(const KernelSpec& spec, const Tensor& weight) {
  const Matrices m = matrices_of(spec);
  const WeightView w = weight_view(weight);
  const int64_t block = float_lanes(spec.target);
  const int64_t lanes = block * conv2d_pointwise_knobs_of(spec).tile_co;
  const int64_t tiles = m.out_blocks * block / lanes;
  const int64_t rows = m.in_blocks * block;
  Tensor packed = Tensor::empty({DataType::kFloat32, {tiles, rows, lanes}});
  float* to = packed.as<float>().data();
  for (int64_t tile = 0; tile < tiles; ++tile)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t lane = 0; lane < lanes; ++lane) {
        const int64_t o = tile * lanes + lane;
        *to++ = o < w.out_channels && i < w.in_channels ? *w.filter(o, i) : 0.0f;
      }
  return packed;
}

Result<Tensor> pack_conv2d_pointwise(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_convolution(spec, index, weight, pack_conv2d_pointwise_weights);
}

}  // namespace

ScheduleDef conv2d_pointwise_schedule() {
  return {
      .name = "conv2d_pointwise",
      .summary = "Channel-blocked 1x1 convolution as a product of matrices, rows of pixels as one",
      .default_config = conv2d_pointwise_default_config,
      .knobs = conv2d_pointwise_knobs,
      .priority = 25,
      .pack = pack_conv2d_pointwise,
      .check_config = check_conv2d_pointwise_config,
      .build = build_conv2d_pointwise,
  };
}

}  // namespace opbench
