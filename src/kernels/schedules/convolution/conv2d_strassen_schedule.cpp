#include <halide14/Halide.h>

#include <algorithm>
#include <array>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_parts.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/convolution/strassen.h"
#include "kernels/schedules/convolution/strassen_rule.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/ahead_knob.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/own_parts.h"
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

/// Lanes past the last input channel, which may hold anything, would take digits from sums.
bool is_halved(const KernelSpec& spec, const ConvolutionShape& s) {
  const int64_t block = float_lanes(spec.target);
  return s.channels % (2 * block) == 0 && ceil_div(s.out_channels, block) % 2 == 0;
}

/// Its rounds read the same weights.
constexpr const char* kConv2dStrassenPixelTilesLoop = "to";

std::optional<Config> conv2d_strassen_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = convolution_shape(spec.workload);
  if (!shape || !is_blocked_pointwise(spec, *shape) || !is_halved(spec, *shape) ||
      !strassen_pays(*shape))
    return std::nullopt;
  const StrassenKnobs knobs = default_strassen_knobs(spec);
  return with_ahead({{"tile_x", knobs.tile_x},
                     {"tile_co", knobs.tile_co},
                     {"pixel_tasks", knobs.pixel_tasks},
                     {"panel_tasks", knobs.panel_tasks},
                     {"shared", knobs.is_shared ? 1 : 0}},
                    spec.target, left_factor_values(*shape));
}

std::vector<KnobRange> conv2d_strassen_knobs(const KernelSpec& spec) {
  const StrassenHalves h = strassen_halves(spec);
  const int64_t tasks = conv2d_strassen_default_config(spec)->at("pixel_tasks");
  return with_ahead({{"tile_x", numbers(1, std::min(h.pairs, most_sums(spec.target)))},
                     {"tile_co", divisors(h.out_blocks, kMostTileVectors)},
                     {"pixel_tasks", doublings(std::min(kMostStrassenPixelTasks, h.pairs), tasks)},
                     {"panel_tasks", numbers(1, std::min(kMostOwnParts, h.out_blocks))},
                     {"shared", {0, 1}}},
                    spec.target, left_factor_values(*convolution_shape(spec.workload)));
}

StrassenKnobs conv2d_strassen_knobs_of(const KernelSpec& spec) {
  const auto knob = [&](const char* name) { return spec.config.at(name); };
  return {knob("tile_x"), knob("tile_co"), knob("pixel_tasks"), knob("panel_tasks"),
          knob("shared") != 0};
}

Result<void> check_conv2d_strassen_config(const KernelSpec& spec) {
  const StrassenHalves h = strassen_halves(spec);
  const StrassenKnobs k = conv2d_strassen_knobs_of(spec);
  OPBENCH_CHECK(check_range(spec.config, "tile_x", 1, h.pairs, "the number of pairs of pixels"));
  OPBENCH_CHECK(
      check_divisor(spec.config, "tile_co", h.out_blocks, "half the number of channel blocks"));
  OPBENCH_CHECK(check_range(spec.config, "pixel_tasks", 1, ceil_div(h.pairs, k.tile_x),
                            "the number of tiles"));
  OPBENCH_CHECK(check_range(spec.config, "panel_tasks", 1,
                            k.is_shared ? 1 : h.out_blocks / k.tile_co,
                            k.is_shared ? "as every panel is a task" : "the number of panels"));
  return check_sums(k.tile_x * k.tile_co, most_sums(spec.target));
}

/// The stages of one kernel and the loops they are scheduled over.
class Strassen {
 public:
  Strassen(const KernelSpec& spec, KernelBuilder& builder)
      : spec_(spec),
        builder_(builder),
        s_(*convolution_shape(spec.workload)),
        h_(strassen_halves(spec)),
        knobs_(conv2d_strassen_knobs_of(spec)),
        in_(builder.operand(*input_index(spec.workload, 0, 0))) {}

  Func build() {
    add_inputs();
    multiply();
    add_products();
    schedule_output();
    schedule_inputs();
    return out_;
  }

 private:
  /// Pixel `pixel` of those of the result, all rows one behind the other, in the operand.
  Expr input(const Expr& lane, const Expr& pixel, const Expr& block) const {
    if (!s_.has_stride()) return in_(lane, pixel, 0, block, n_);
    const int width = narrow(h_.width);
    return in_(lane, pixel % width * narrow(s_.stride_w), pixel / width * narrow(s_.stride_h),
               block, n_);
  }

  /// The right factors that are sums, and the plain ones that are not read from the operand.
  void add_inputs() {
    const Expr first = 2 * pair_;
    const bool has_all = h_.pixels % 2 == 0;
    const Expr second = has_all ? first + 1 : Halide::min(first + 1, narrow(h_.pixels - 1));
    const Expr upper = 2 * ib_, lower = upper + 1;
    const std::array<Expr, kStrassenProducts> factors =
        right_factors<Expr>({input(oi_, first, upper), input(oi_, second, upper),
                             input(oi_, first, lower), input(oi_, second, lower)});
    v_(oi_, pair_, k_, ib_, n_) = Halide::mux(k_, {factors.begin() + h_.plain, factors.end()});
  }

  /// `products` of the factors from `first` on, with right factors of `value`.
  void multiply(Func& products, int first, const Halide::Func& u, const RDom& r,
                const Expr& value) {
    const int tile_co = narrow(knobs_.tile_co);
    Func sum("sum");
    sum(oi_, pair_, ob_, k_, n_) +=
        u(oi_, ob_ % tile_co, r[0], r[1], first + k_, ob_ / tile_co) * value;
    products(oi_, pair_, ob_, k_, n_) = sum(oi_, pair_, ob_, k_, n_);
    schedule_products(products, sum, r);
  }

  void multiply() {
    const int block = builder_.lanes();
    const Halide::Func u =
        builder_.packed_stream(*input_index(spec_.workload, 0, 1),
                               {block, knobs_.tile_co, block, h_.in_blocks, kStrassenProducts,
                                h_.out_blocks / knobs_.tile_co},
                               {kConv2dStrassenPixelTilesLoop});
    const RDom r(0, block, 0, narrow(h_.in_blocks));
    if (h_.plain > 0) {
      // In their order the third is of the second pixel, and all but the first of the lower block.
      const Expr pixel = 2 * pair_ + k_ / 2, in_block = 2 * r[1] + (k_ + 1) / 2;
      multiply(of_plain_, 0, u, r, input(r[0], pixel, in_block));
    }
    multiply(of_sums_, h_.plain, u, r, v_(r[0], pair_, k_, r[1], n_));
  }

  void add_products() {
    std::array<Expr, kStrassenProducts> products;
    for (int k = 0; k < kStrassenProducts; ++k) {
      products[k] = k < h_.plain ? of_plain_(oi_, pair_, ob_, k, n_)
                                 : of_sums_(oi_, pair_, ob_, k - h_.plain, n_);
    }
    const std::array<Expr, 4> square = strassen_result(products);
    y_(oi_, q_, pair_, ob_, n_) = Halide::mux(q_, {square.begin(), square.end()});
    const Expr value =
        y_(oi_, co_ % 2 * 2 + p_ % 2, p_ / 2, co_ / 2, n_) + bias_value(spec_, builder_, oi_, co_);
    const std::vector<Expr> place = unflatten(p_, {h_.width, h_.pixels / h_.width});
    out_(oi_, p_, co_, n_) = builder_.epilogue(value, {oi_, place[0], place[1], co_, n_});
    builder_.set_output_extents({builder_.lanes(), h_.pixels, h_.out_blocks * 2, h_.batch});
  }

  void schedule_output() {
    const int64_t tiles = ceil_div(ceil_div(h_.pairs, knobs_.tile_x), knobs_.pixel_tasks);
    const int64_t panels = ceil_div(h_.out_blocks / knobs_.tile_co, knobs_.panel_tasks);
    const Var pi("pi"), po("po"), coi("coi"), co_in("co_in");
    out_.bound(oi_, 0, builder_.lanes()).vectorize(oi_);
    out_.split(p_, po, pi, 2, TailStrategy::GuardWithIf)
        .split(po, part_, po, narrow(tiles * knobs_.tile_x), TailStrategy::GuardWithIf)
        .split(co_, co_in, coi, 2, TailStrategy::RoundUp)
        .split(co_in, co_tile_, co_in, narrow(knobs_.tile_co), TailStrategy::RoundUp)
        .unroll(coi)
        .unroll(pi);
    // Tasks that follow each other, which one thread runs, read the same weights.
    if (knobs_.is_shared) {
      out_.reorder(oi_, coi, pi, po, co_in, part_, co_tile_, n_).fuse(part_, co_tile_, task_);
    } else {
      out_.split(co_tile_, panel_, co_tile_, narrow(panels), TailStrategy::GuardWithIf)
          .reorder(oi_, coi, pi, po, co_in, co_tile_, part_, panel_, n_)
          .fuse(part_, panel_, task_);
    }
    out_.fuse(task_, n_, task_).parallel(task_);
    y_.compute_at(out_, po).vectorize(oi_).unroll(q_);
  }

  void schedule_inputs() {
    v_.reorder(oi_, k_, pair_, ib_, n_).vectorize(oi_).unroll(k_);
    if (knobs_.is_shared) {
      v_.compute_root().fuse(ib_, n_, task_).parallel(task_);
    } else {
      v_.compute_at(out_, task_);
    }
  }

  void schedule_products(Func& products, Func& sum, const RDom& r) {
    const Var to(kConv2dStrassenPixelTilesLoop), ti("ti");
    products.compute_at(out_, knobs_.is_shared ? task_ : co_tile_);
    products.split(pair_, to, ti, narrow(knobs_.tile_x), TailStrategy::ShiftInwards)
        .reorder(oi_, ob_, ti, to, k_, n_)
        .vectorize(oi_)
        .unroll(ob_)
        .unroll(ti);
    sum.compute_at(products, to).vectorize(oi_).unroll(ob_).unroll(pair_);
    sum.update()
        .reorder(oi_, ob_, pair_, r[0], r[1])
        .vectorize(oi_)
        .unroll(ob_)
        .unroll(pair_)
        .unroll(r[0], unrolled_steps(builder_.lanes()));
  }

  const KernelSpec& spec_;
  KernelBuilder& builder_;
  const ConvolutionShape s_;
  const StrassenHalves h_;
  const StrassenKnobs knobs_;
  const Halide::Func in_;
  Var oi_{"oi"}, pair_{"pair"}, ib_{"ib"}, ob_{"ob"}, k_{"k"}, n_{"n"}, q_{"q"}, p_{"p"}, co_{"co"},
      part_{"part"}, panel_{"panel"}, co_tile_{"co_tile"}, task_{"task"};
  Func v_{"v"}, of_plain_{"of_plain"}, of_sums_{"of_sums"}, y_{"y"}, out_{"out"};
};

Func build_conv2d_strassen(const KernelSpec& spec, KernelBuilder& builder) {
  return Strassen(spec, builder).build();
}

/// The left factors of w[o, i] as (o in block, block in tile, i in block, i block, product, tile),
/// innermost first, computed in double; zeros where output channels are missing.
Tensor pack_conv2d_strassen_weights(const KernelSpec& spec, const Tensor& weight) {
  const StrassenHalves h = strassen_halves(spec);
  const WeightView w = weight_view(weight);
  const int64_t block = float_lanes(spec.target);
  const int64_t tile_co = conv2d_strassen_knobs_of(spec).tile_co;
  const int64_t lanes = block * tile_co;
  const int64_t rows = h.in_blocks * block;
  const int64_t tiles = h.out_blocks / tile_co;
  Tensor packed = Tensor::empty({DataType::kFloat32, {tiles, kStrassenProducts, rows, lanes}});
  float* to = packed.as<float>().data();
  const auto at = [&](int64_t o, int64_t i) {
    return o < w.out_channels ? double{*w.filter(o, i)} : 0.0;
  };
  for (int64_t tile = 0; tile < tiles; ++tile, to += kStrassenProducts * rows * lanes)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t lane = 0; lane < lanes; ++lane) {
        const int64_t o = (tile * tile_co + lane / block) * 2 * block + lane % block;
        const int64_t i = row / block * 2 * block + row % block;
        float* value = to + row * lanes + lane;
        for (const double factor : left_factors<double>(
                 {at(o, i), at(o, i + block), at(o + block, i), at(o + block, i + block)})) {
          *value = static_cast<float>(factor);
          value += rows * lanes;
        }
      }
  return packed;
}

Result<Tensor> pack_conv2d_strassen(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_convolution(spec, index, weight, pack_conv2d_strassen_weights);
}

}  // namespace

ScheduleDef conv2d_strassen_schedule() {
  return {
      .name = "conv2d_strassen",
      .summary = "Channel-blocked 1x1 convolution with seven products of matrices for eight",
      .default_config = conv2d_strassen_default_config,
      .knobs = conv2d_strassen_knobs,
      .priority = 27,
      .pack = pack_conv2d_strassen,
      .check_config = check_conv2d_strassen_config,
      .build = build_conv2d_strassen,
  };
}

}  // namespace opbench
