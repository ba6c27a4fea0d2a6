#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_rule.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/epilogue_operand.h"
#include "kernels/schedules/operands/workload_operands.h"
#include "kernels/schedules/quantised/byte_product.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// Channels of a plain input, a model's first layer, that fill up one group.
constexpr int64_t kPlainChannels = 4;

/// Sums of a default tile: enough for the latency of a product, and registers are left for what the
/// steps after it need.
constexpr int64_t kConv2dIntegerMostSums = 16;

/// One kernel's parameters.
struct IntegerConv {
  const KernelSpec& spec;
  ByteProduct product;
  ConvolutionShape shape;
  int64_t block = 0;   ///< channels of a block of the input
  int64_t blocks = 0;  ///< blocks of the input that a filter reads
  int64_t lanes = 0;   ///< channels of a block of the output
  int64_t out_blocks = 0;

  int64_t groups_of_block() const { return block / product.group(); }
  bool is_plain() const { return spec.layouts[input()].block == 0; }
  size_t input() const { return *input_index(spec.workload, 0, product.x); }
  bool is_staged() const {
    return is_plain() || shape.pads_rows() || shape.pads_columns() || product.shift != 0 ||
           !product.is_dot;
  }
  PackedWeights weights() const {
    const int64_t tile = spec.config.at("tile_co");
    return {out_blocks / tile, shape.kernel_h * blocks * shape.kernel_w * groups_of_block(),
            tile * lanes, product.group()};
  }
};

std::optional<IntegerConv> conv_of(const KernelSpec& spec) {
  const std::string& type = spec.workload.graph.nodes[0].type;
  const size_t filters = type == "QLinearConv" ? 3 : 1;
  if (type != "QLinearConv" && type != "ConvInteger") return std::nullopt;
  const auto shape = convolution_extents(spec.workload, 0, filters);
  if (!shape) return std::nullopt;
  const int64_t per_group = shape->channels / shape->groups;
  auto product = byte_product(spec, "ConvInteger", "QLinearConv", shape->out_channels,
                              per_group * shape->kernel_h * shape->kernel_w);
  if (!product) return std::nullopt;
  IntegerConv conv{spec, *product, *shape};
  conv.lanes = float_lanes(spec.target);
  conv.block = conv.is_plain() ? kPlainChannels : conv.lanes;
  conv.blocks = ceil_div(per_group, conv.block);
  conv.out_blocks = ceil_div(shape->out_channels, conv.lanes);
  const bool has_layouts = spec.output_layout().block == conv.lanes &&
                           (conv.is_plain() || spec.layouts[conv.input()].block == conv.lanes);
  const bool has_groups =
      shape->groups == 1 ||
      (per_group % conv.lanes == 0 && shape->out_channels / shape->groups % conv.lanes == 0);
  if (!has_layouts || !has_groups || conv.block % product->group() != 0) return std::nullopt;
  if (conv.is_plain() && shape->channels > kPlainChannels) return std::nullopt;
  return conv;
}

/// Rows of a task: some 30 us of work, but enough tasks for all threads. The last task computes as
/// many rows as the others: of the numbers from half to twice that, the one with the fewest rows.
int64_t default_band(const IntegerConv& conv, int64_t tile) {
  constexpr int64_t kWork = int64_t{1} << 22;  // products
  constexpr int64_t kTasksOfThread = 8;
  const ConvolutionShape& s = conv.shape;
  const int64_t row =
      s.out_width * tile * conv.lanes * conv.blocks * conv.block * s.kernel_h * s.kernel_w;
  const int64_t others = conv.out_blocks / tile * s.batch;
  const int64_t tasks = conv.spec.threads > 1 ? kTasksOfThread * conv.spec.threads : 1;
  const int64_t most = std::clamp<int64_t>(s.out_height * others / tasks, 1, s.out_height);
  const int64_t wanted = std::clamp<int64_t>(kWork / row, 1, most);
  int64_t best = wanted;
  for (int64_t band = std::min(2 * wanted, most); band >= ceil_div(wanted, 2); --band) {
    const int64_t rows = ceil_div(s.out_height, band) * band;
    if (rows < ceil_div(s.out_height, best) * best) best = band;
  }
  return best;
}

std::optional<Config> conv2d_integer_default_config(const KernelSpec& spec) {
  const std::optional<IntegerConv> conv = conv_of(spec);
  if (!conv) return std::nullopt;
  const ConvolutionShape& s = conv->shape;
  const RegisterTile tile =
      best_tile(spec.target, s.out_width, conv->out_blocks / s.groups, kConv2dIntegerMostSums);
  return Config{{"tile_x", tile.pixels},
                {"tile_co", tile.vectors},
                {"band", default_band(*conv, tile.vectors)},
                {"rows_first", 1}};
}

std::vector<KnobRange> conv2d_integer_knobs(const KernelSpec& spec) {
  const IntegerConv conv = *conv_of(spec);
  const int64_t most = most_sums(spec.target);
  return {
      {"tile_x", numbers(1, std::min(conv.shape.out_width, most))},
      {"tile_co", divisors(conv.out_blocks / conv.shape.groups, kMostTileVectors)},
      {"band", doublings(conv.shape.out_height, conv2d_integer_default_config(spec)->at("band"))},
      {"rows_first", {0, 1}}};
}

Result<void> check_conv2d_integer_config(const KernelSpec& spec) {
  const IntegerConv conv = *conv_of(spec);
  const ConvolutionShape& s = conv.shape;
  OPBENCH_CHECK(check_range(spec.config, "tile_x", 1, s.out_width, "the output's width"));
  OPBENCH_CHECK(check_divisor(spec.config, "tile_co", conv.out_blocks / s.groups,
                              "a group's channel blocks"));
  OPBENCH_CHECK(check_range(spec.config, "band", 1, s.out_height, "the output's height"));
  OPBENCH_CHECK(check_range(spec.config, "rows_first", 0, 1));
  return check_sums(spec.config.at("tile_x") * spec.config.at("tile_co"), most_sums(spec.target));
}

/// As the product reads it: bytes, or 16 bits so that no step of the sum widens it again.
Expr staged_value(const IntegerConv& conv, const Expr& x) {
  return conv.product.is_dot ? shifted(conv.product, x) : Halide::cast<int16_t>(x);
}

/// The input with its zero point around, shifted, in blocks: (channel in block, x, y, block,
/// image). Written once for all filters.
Func staged_input(const IntegerConv& conv, KernelBuilder& builder) {
  const Func in = builder.operand(conv.input());
  const ConvolutionShape& s = conv.shape;
  const Expr zero = x_zero_point(conv.spec, builder, conv.product);
  const Var c("c"), x("x"), y("y"), cb("cb"), n("n");
  const Halide::Range all{Expr(), Expr()};
  const Halide::Range columns{0, narrow(s.width)}, rows{0, narrow(s.height)};
  Func staged("staged");
  if (conv.is_plain()) {
    const Func within = Halide::BoundaryConditions::constant_exterior(
        in, zero, Halide::Region{columns, rows, all, all});
    std::vector<Expr> channels;
    for (int i = 0; i < kPlainChannels; ++i)
      channels.push_back(i < s.channels ? Expr(within(x, y, i, n)) : zero);
    staged(c, x, y, cb, n) = staged_value(conv, Halide::mux(c, channels));
  } else {
    const bool is_padded = s.pads_rows() || s.pads_columns();
    const Func within = is_padded ? Halide::BoundaryConditions::constant_exterior(
                                        in, zero, Halide::Region{all, columns, rows, all, all})
                                  : in;
    staged(c, x, y, cb, n) = staged_value(conv, within(c, x, y, cb, n));
  }
  return staged;
}

/// The products of one output: by factor of a group, group, column, block of channels, row.
Expr product_at(const IntegerConv& conv, const RDom& r, const Func& data, const Func& weights,
                const std::vector<Var>& v) {
  const ConvolutionShape& s = conv.shape;
  const int tile = narrow(conv.spec.config.at("tile_co"));
  const Expr channel = r[1] * conv.product.group() + r[0];
  const Expr x = v[1] * narrow(s.stride_w) + r[2] * narrow(s.dilation_w) - narrow(s.pad_left);
  const Expr y = v[2] * narrow(s.stride_h) + r[4] * narrow(s.dilation_h) - narrow(s.pad_top);
  const Expr first =
      s.groups == 1 ? Expr(0) : v[3] / narrow(conv.out_blocks / s.groups) * narrow(conv.blocks);
  const Expr step = ((r[4] * narrow(conv.blocks) + r[3]) * narrow(s.kernel_w) + r[2]) *
                        narrow(conv.groups_of_block()) +
                    r[1];
  return product_of(data(channel, x, y, first + r[3], v[4]),
                    weights(r[0], v[3] % tile * narrow(conv.lanes) + v[0], step, v[3] / tile));
}

void schedule_of_conv2d_integer(const IntegerConv& conv, Func& out, Func& sum, Func& staged,
                                const RDom& r) {
  const Config& config = conv.spec.config;
  const std::vector<Var> v = out.args();
  const Var &ci = v[0], &x = v[1], &y = v[2], &co = v[3], &n = v[4];
  const Var xo("xo"), xi("xi"), yo("yo"), tile("tile"), co_in("co_in"), task("task"), far("far");
  const bool is_rows_first = config.at("rows_first") != 0;
  out.bound(ci, 0, narrow(conv.lanes)).vectorize(ci);
  out.split(x, xo, xi, narrow(config.at("tile_x")), TailStrategy::ShiftInwards)
      .split(co, tile, co_in, narrow(config.at("tile_co")), TailStrategy::RoundUp)
      .split(y, yo, y, narrow(config.at("band")), TailStrategy::ShiftInwards)
      .reorder(ci, co_in, xi, xo, y, yo, tile, n)
      .unroll(co_in)
      .unroll(xi)
      .fuse(tile, n, far)
      .fuse(is_rows_first ? yo : far, is_rows_first ? far : yo, task)
      .parallel(task);
  sum.compute_at(out, xo).vectorize(ci).unroll(co).unroll(x);
  sum.update()
      .reorder(r[0], ci, co, x, r[1], r[2], r[3], r[4])
      .atomic()
      .vectorize(r[0])
      .vectorize(ci)
      .unroll(co)
      .unroll(x)
      .unroll(r[1]);
  if (!conv.is_staged()) return;
  const std::vector<Var> s = staged.args();
  staged.compute_root().fuse(s[3], s[4], far).fuse(s[2], far, task).parallel(task);
  if (conv.is_plain()) {
    // Unrolled channels of a vector of columns become one store.
    staged.bound(s[0], 0, narrow(kPlainChannels)).reorder(s[0], s[1]).unroll(s[0]);
    staged.vectorize(s[1], 16, TailStrategy::RoundUp);
  } else {
    staged.bound(s[0], 0, narrow(conv.block)).vectorize(s[0]);
  }
}

Func build_conv2d_integer(const KernelSpec& spec, KernelBuilder& builder) {
  const IntegerConv conv = *conv_of(spec);
  const ConvolutionShape& s = conv.shape;
  const Var ci("ci"), x("x"), y("y"), co("co"), n("n");
  const std::vector<Var> v{ci, x, y, co, n};
  const Func weights = packed_weights(spec, builder, conv.product, conv.weights());
  const Func starts = channel_starts(spec, builder, conv.product, conv.weights());
  const Func factors = channel_factors(spec, builder, conv.product, conv.weights());
  Func data = conv.is_staged() ? staged_input(conv, builder) : builder.operand(conv.input());
  const RDom r(0, conv.product.group(), 0, narrow(conv.groups_of_block()), 0, narrow(s.kernel_w), 0,
               narrow(conv.blocks), 0, narrow(s.kernel_h));
  const Expr channel = co * narrow(conv.lanes) + ci;
  Func sum("sum"), out("out");
  sum(v) = starts(channel);
  sum(v) += product_at(conv, r, data, weights, v);
  const Expr result =
      integer_result(spec, builder, conv.product, sum(ci, x, y, co, n), factors, channel);
  out(v) = builder.epilogue(result, {ci, x, y, co, n});
  schedule_of_conv2d_integer(conv, out, sum, data, r);
  return out;
}

Result<Tensor> pack_conv2d_integer(const KernelSpec& spec, size_t index, const Tensor& weight) {
  const IntegerConv conv = *conv_of(spec);
  if (index == input_index(spec.workload, 0, conv.product.w)) {
    const ConvolutionShape& s = conv.shape;
    const int64_t in = s.channels / s.groups;
    const auto value = [&](int64_t o, int64_t step, int64_t factor) -> std::optional<int> {
      const int64_t c_group = step % conv.groups_of_block();
      const int64_t tap_x = step / conv.groups_of_block() % s.kernel_w;
      const int64_t rest = step / conv.groups_of_block() / s.kernel_w;
      const int64_t c = rest % conv.blocks * conv.block + c_group * conv.product.group() + factor;
      if (o >= s.out_channels || c >= in) return std::nullopt;
      const int64_t at = ((o * in + c) * s.kernel_h + rest / conv.blocks) * s.kernel_w + tap_x;
      return byte_at(weight, at);
    };
    return pack_weights(conv.product, conv.weights(), value);
  }
  return pack_other_weight(spec, index, weight);
}

}  // namespace

ScheduleDef conv2d_integer_schedule() {
  return {
      .name = "conv2d_integer",
      .summary = "Channel-blocked convolution of 8-bit integers over register tiles of int32 sums",
      .default_config = conv2d_integer_default_config,
      .knobs = conv2d_integer_knobs,
      .priority = 20,
      .pack = pack_conv2d_integer,
      .check_config = check_conv2d_integer_config,
      .build = build_conv2d_integer,
  };
}

}  // namespace opbench
