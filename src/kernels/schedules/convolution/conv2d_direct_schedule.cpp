#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_parts.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_rule.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

/// How the loop over input channels is laid out: in blocks of lanes, or all in one block when the
/// input is plain (a model's first layer).
struct Channels {
  int64_t block = 0;   ///< channels in one block
  int64_t blocks = 0;  ///< blocks of one group
};

Channels channels_of(const KernelSpec& spec, const ConvolutionShape& shape) {
  const int64_t per_group = shape.channels / shape.groups;
  const int64_t block = input_layout(spec).block;
  if (block == 0) return {per_group, 1};
  return {block, ceil_div(per_group, block)};
}

/// The convolution with small groups taken together so that each fills one block: their filters
/// become blocks on the diagonal of a larger one, with zeros elsewhere.
ConvolutionShape with_full_groups(ConvolutionShape shape, int64_t block) {
  const int64_t in = shape.channels / shape.groups;
  const bool is_mergeable = shape.groups > 1 && in < block && block % in == 0 &&
                            shape.out_channels == shape.channels && shape.channels % block == 0;
  if (is_mergeable) shape.groups = shape.channels / block;
  return shape;
}

/// Rows of the output for which a plain input's rows are copied at once: by default, and at most.
constexpr int64_t kBand = 2;
constexpr int64_t kMostBand = 8;

/// Unrolling more channels of a plain input, or more columns of taps, only costs compile time.
constexpr int64_t kMostUnrolledChannels = 4;
constexpr int64_t kMostUnrolledColumns = 13;

/// Plain input is read one channel at a time as it lies; more than this is worth a conversion.
constexpr int64_t kMostPlainChannels = 16;

bool takes_conv2d_direct(const KernelSpec& spec, const ConvolutionShape& shape) {
  const int64_t block = float_lanes(spec.target);
  if (spec.output_layout().block != block || !can_epilogue(spec)) return false;
  const int64_t in_block = input_layout(spec).block;
  if (in_block == 0) return shape.groups == 1 && shape.channels <= kMostPlainChannels;
  if (in_block != block) return false;
  return shape.groups == 1 || (shape.channels / shape.groups % block == 0 &&
                               shape.out_channels / shape.groups % block == 0);
}

/// True where it takes fewer reads from beyond a core's own cache to go through all rows with the
/// weights of one tile of channels than through all channels with one row.
bool goes_rows_first(const ConvolutionShape& s, int64_t tiles) {
  constexpr int64_t kCached = 128 << 10;  // values
  const int64_t image = s.channels * s.height * s.width;
  const int64_t weights = s.channels / s.groups * s.out_channels * s.kernel_h * s.kernel_w;
  const int64_t with_rows = weights + (image > kCached ? tiles : 1) * image;
  const int64_t with_channels = (weights > kCached ? s.out_height : 1) * weights + image;
  return with_rows <= with_channels;
}

std::optional<Config> conv2d_direct_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> own = convolution_shape(spec.workload);
  if (!own) return std::nullopt;
  const ConvolutionShape shape = with_full_groups(*own, float_lanes(spec.target));
  if (!takes_conv2d_direct(spec, shape)) return std::nullopt;
  const int64_t blocks = ceil_div(shape.out_channels / shape.groups, float_lanes(spec.target));
  const RegisterTile tile = best_tile(spec.target, shape.out_width, blocks);
  Config config{{"tile_x", tile.pixels}, {"tile_co", tile.vectors}};
  if (input_layout(spec).block == 0)
    config["band"] = std::min(kBand, shape.out_height);
  else
    config["rows_first"] = goes_rows_first(shape, blocks * shape.groups / tile.vectors) ? 1 : 0;
  return config;
}

std::vector<KnobRange> conv2d_direct_knobs(const KernelSpec& spec) {
  const ConvolutionShape shape =
      with_full_groups(*convolution_shape(spec.workload), float_lanes(spec.target));
  const int64_t most = most_sums(spec.target);
  const int64_t blocks = ceil_div(shape.out_channels / shape.groups, float_lanes(spec.target));
  std::vector<KnobRange> conv2d_direct_knobs = {
      {"tile_x", numbers(1, std::min(shape.out_width, most))},
      {"tile_co", divisors(blocks, kMostTileVectors)}};
  if (input_layout(spec).block == 0)
    conv2d_direct_knobs.push_back({"band", numbers(1, std::min(kMostBand, shape.out_height))});
  else
    conv2d_direct_knobs.push_back({"rows_first", {0, 1}});
  return conv2d_direct_knobs;
}

/// One kernel's parameters and index arithmetic.
struct Direct {
  const KernelSpec& spec;
  ConvolutionShape shape;
  Channels channels;
  int block;
  int tile_x;
  int tile_co;
  int band;            ///< of a plain input
  bool is_rows_first;  ///< of a blocked one: neighbouring tasks are rows of the same channels

  bool is_plain_input() const { return input_layout(spec).block == 0; }
  bool is_copied() const { return is_plain_input() && (shape.pads_rows() || shape.pads_columns()); }
  int64_t blocks_out() const { return ceil_div(shape.out_channels, block); }
};

Direct direct_of(const KernelSpec& spec) {
  const ConvolutionShape shape =
      with_full_groups(*convolution_shape(spec.workload), float_lanes(spec.target));
  return {spec,
          shape,
          channels_of(spec, shape),
          float_lanes(spec.target),
          narrow(spec.config.at("tile_x")),
          narrow(spec.config.at("tile_co")),
          narrow(knob_or(spec.config, "band", 1)),
          knob_or(spec.config, "rows_first", 1) != 0};
}

Result<void> check_conv2d_direct_config(const KernelSpec& spec) {
  const Direct d = direct_of(spec);
  const int64_t per_group = ceil_div(d.shape.out_channels / d.shape.groups, d.block);
  OPBENCH_CHECK(check_range(spec.config, "tile_x", 1, d.shape.out_width, "the output's width"));
  OPBENCH_CHECK(check_divisor(spec.config, "tile_co", per_group, "a group's channel blocks"));
  if (d.is_plain_input()) {
    OPBENCH_CHECK(check_range(spec.config, "band", 1, d.shape.out_height, "the output's height"));
  }
  return check_sums(int64_t{d.tile_x} * d.tile_co, most_sums(spec.target));
}

/// The sum over taps. Taps outside the rows are cut from the loop over ky by a predicate; those
/// outside the columns are zeros that fold away once pixels and kx are unrolled.
Expr conv2d_direct_product(const Direct& d, KernelBuilder& builder, const RDom& r, const Func& data,
                           const std::vector<Var>& v) {
  const ConvolutionShape& s = d.shape;
  const Halide::Func weights =
      builder.packed(*input_index(d.spec.workload, 0, 1),
                     {d.block, d.tile_co, d.channels.block, s.kernel_w, s.kernel_h,
                      d.channels.blocks, d.blocks_out() / d.tile_co});
  const Expr co = v[3];
  const Expr x = v[1] * narrow(s.stride_w) + r[1] * narrow(s.dilation_w) - narrow(s.pad_left);
  const Expr row = v[2] * narrow(s.stride_h) + r[3] * narrow(s.dilation_h) - narrow(s.pad_top);
  const bool is_clamped = s.pads_rows() && !d.is_plain_input();
  const Expr y = is_clamped ? Halide::clamp(row, 0, narrow(s.height - 1)) : row;
  const int64_t group_out = d.blocks_out() / s.groups;
  const Expr first = s.groups == 1 ? Expr(0) : (co / narrow(group_out)) * narrow(d.channels.blocks);
  const Expr value =
      d.is_plain_input() ? data(x, y, r[0], v[4]) : data(r[0], x, y, first + r[2], v[4]);
  return value * weights(v[0], co % d.tile_co, r[0], r[1], r[3], r[2], co / d.tile_co);
}

/// The taps of one output, without those outside the rows and without lanes past the last channel.
RDom taps(const Direct& d, const Var& y) {
  const ConvolutionShape& s = d.shape;
  const int64_t channels = s.channels / s.groups;
  RDom r(0, narrow(d.channels.block), 0, narrow(s.kernel_w), 0, narrow(d.channels.blocks), 0,
         narrow(s.kernel_h));
  if (d.is_plain_input()) return r;
  if (s.pads_rows()) {
    const Expr row = y * narrow(s.stride_h) + r[3] * narrow(s.dilation_h) - narrow(s.pad_top);
    r.where(row >= 0 && row < narrow(s.height));
  }
  if (channels % d.channels.block != 0)
    r.where(r[0] < narrow(channels) - r[2] * narrow(d.channels.block));
  return r;
}

/// A plain input's rows with zeros around, as a copy.
Func copied_rows(const Direct& d, const Halide::Func& in) {
  const Halide::Range all{Expr(), Expr()};
  const Halide::Range rows{0, narrow(d.shape.height)};
  const Func within =
      Halide::BoundaryConditions::constant_exterior(in, 0.0f, Halide::Region{all, rows, all, all});
  Var x("x"), y("y"), c("c"), n("n");
  const RDom column(0, narrow(d.shape.width));
  Func copy("copy");
  copy(x, y, c, n) = 0.0f;
  copy(column, y, c, n) = within(column, y, c, n);
  copy.vectorize(x, d.block);
  copy.update().vectorize(column, d.block);
  return copy;
}

/// The input with zeros where taps reach outside: all around when plain, around the columns only
/// when blocked (see `conv2d_direct_product`). Only a plain one that has any is copied.
Func conv2d_direct_padded_input(const Direct& d, KernelBuilder& builder) {
  const size_t index = *input_index(d.spec.workload, 0, 0);
  Halide::Func in = builder.operand(index);
  if (d.is_plain_input()) return d.is_copied() ? copied_rows(d, in) : in;
  if (!d.shape.pads_columns()) return in;
  const Halide::Range all{Expr(), Expr()};
  const Halide::Range columns{0, builder.extent(index, 1)};
  return Halide::BoundaryConditions::constant_exterior(in, 0.0f,
                                                       Halide::Region{all, columns, all, all, all});
}

Func build_conv2d_direct(const KernelSpec& spec, KernelBuilder& builder) {
  const Direct d = direct_of(spec);
  Var ci("ci"), x("x"), y("y"), co("co"), n("n"), xo("xo"), xi("xi"), co_tile("co_tile"),
      co_in("co_in");
  Var yi("yi"), task("task");
  const std::vector<Var> v{ci, x, y, co, n};
  const RDom r = taps(d, y);
  const Func data = conv2d_direct_padded_input(d, builder);
  Func conv("conv");
  conv(ci, x, y, co, n) = bias_value(d.spec, builder, ci, co);
  conv(ci, x, y, co, n) += conv2d_direct_product(d, builder, r, data, v);
  Func out("out");
  out(ci, x, y, co, n) = builder.epilogue(conv(ci, x, y, co, n), {ci, x, y, co, n});
  out.bound(ci, 0, d.block).vectorize(ci);
  out.split(x, xo, xi, d.tile_x, Halide::TailStrategy::ShiftInwards);
  out.split(co, co_tile, co_in, d.tile_co, Halide::TailStrategy::RoundUp);
  conv.vectorize(ci).unroll(x).unroll(co);
  out.unroll(co_in).unroll(xi);
  conv.compute_at(out, xo);
  if (d.is_plain_input()) {
    out.split(y, y, yi, d.band);
    out.reorder(ci, co_in, xi, xo, co_tile, yi, y, n).fuse(y, n, task).parallel(task);
    if (d.is_copied()) Func(data).compute_at(out, task);
    conv.update().reorder(ci, co, x, r[0], r[1], r[2], r[3]);
    if (d.channels.block <= kMostUnrolledChannels) conv.update().unroll(r[0]);
  } else {
    out.reorder(ci, co_in, xi, xo, y, co_tile, n)
        .fuse(co_tile, n, co_tile)
        .fuse(d.is_rows_first ? y : co_tile, d.is_rows_first ? co_tile : y, task)
        .parallel(task);
    conv.update().reorder(ci, co, x, r[0], r[1], r[2], r[3]);
    if (d.shape.kernel_w <= kMostUnrolledColumns) conv.update().unroll(r[1]);
    if (d.shape.channels / d.shape.groups % d.block == 0)
      conv.update().unroll(r[0], unrolled_steps(d.block, d.shape.kernel_w > 1 ? 2 : 4));
  }
  conv.update().vectorize(ci).unroll(co).unroll(x);
  return out;
}

/// The filter from input channel `i` of a (full) group to output channel `o`; null where there is
/// none: past the last channel, or between two small groups of a full one.
const float* conv2d_direct_filter_of(const Direct& d, const WeightView& w, int64_t o, int64_t i) {
  if (o >= w.out_channels) return nullptr;
  const int64_t channels = d.shape.channels / d.shape.groups;
  if (channels == w.in_channels) return i < w.in_channels ? w.filter(o, i) : nullptr;
  const bool is_same_group = i / w.in_channels == o % d.block / w.in_channels;
  return is_same_group ? w.filter(o, i % w.in_channels) : nullptr;
}

/// w[o, i, ky, kx] as (o in block, block in tile, i in block, kx, ky, i block, tile), innermost
/// first; zeros where channels are missing.
Tensor pack_conv2d_direct_weights(const KernelSpec& spec, const Tensor& weight) {
  const Direct d = direct_of(spec);
  const WeightView w = weight_view(weight);
  const int64_t co_tiles = d.blocks_out() / d.tile_co;
  const int64_t lanes = int64_t{d.block} * d.tile_co;
  const int64_t taps = w.height * w.width;
  const int64_t row = d.channels.block * lanes;
  Tensor packed = Tensor::empty(
      {DataType::kFloat32, {co_tiles, d.channels.blocks, taps, d.channels.block, lanes}});
  float* to = packed.as<float>().data();
  for (int64_t part = 0; part < co_tiles * d.channels.blocks; ++part, to += taps * row) {
    const int64_t first_out = part / d.channels.blocks * lanes;
    const int64_t first_in = part % d.channels.blocks * d.channels.block;
    for (int64_t c = 0; c < d.channels.block; ++c)
      for (int64_t lane = 0; lane < lanes; ++lane) {
        const float* filter = conv2d_direct_filter_of(d, w, first_out + lane, first_in + c);
        for (int64_t tap = 0; tap < taps; ++tap)
          to[tap * row + c * lanes + lane] = filter == nullptr ? 0.0f : filter[tap];
      }
  }
  return packed;
}

Result<Tensor> pack_conv2d_direct(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_convolution(spec, index, weight, pack_conv2d_direct_weights);
}

}  // namespace

ScheduleDef conv2d_direct_schedule() {
  return {
      .name = "conv2d_direct",
      .summary = "Channel-blocked convolution over register tiles of pixels times channel blocks",
      .default_config = conv2d_direct_default_config,
      .knobs = conv2d_direct_knobs,
      .priority = 20,
      .pack = pack_conv2d_direct,
      .check_config = check_conv2d_direct_config,
      .build = build_conv2d_direct,
  };
}

}  // namespace opbench
