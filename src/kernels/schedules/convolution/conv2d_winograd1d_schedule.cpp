#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_parts.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/convolution/minimal_filter.h"
#include "kernels/schedules/convolution/transform_row.h"
#include "kernels/schedules/convolution/winograd_tile.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/own_parts.h"
#include "kernels/schedules/knobs/tile_rule.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

constexpr int64_t kFewestTaps = 3;
constexpr int64_t kConv2dWinograd1dMostTaps = 7;  ///< with more, rounding shows
constexpr int64_t kConv2dWinograd1dMostBlocks = 4;
constexpr int64_t kMostOutputs = 8;
constexpr int64_t kConv2dWinograd1dMostPoints = 12;  ///< more cost digits

/// The convolution along its filter, which has one row or one column.
struct Lines {
  bool is_row = false;  ///< 1 x taps; else taps x 1
  int64_t taps = 0;
  int64_t length = 0;  ///< outputs along the filter
  int64_t count = 0;   ///< lines beside each other
  int64_t extent = 0;  ///< inputs along the filter
  int64_t pad = 0;     ///< before the first of them

  int64_t tiles(int64_t outputs) const { return ceil_div(length, outputs) * count; }
  int64_t lines_of_part(int64_t parts) const { return ceil_div(count, parts); }
  int64_t tiles_of_part(int64_t outputs, int64_t parts) const {
    return ceil_div(length, outputs) * lines_of_part(parts);
  }
};

Lines lines_of(const ConvolutionShape& s) {
  if (s.kernel_h == 1) {
    return {true, s.kernel_w, s.out_width, s.out_height, s.width, s.pad_left};
  }
  return {false, s.kernel_h, s.out_height, s.out_width, s.height, s.pad_top};
}

bool takes_conv2d_winograd1d(const KernelSpec& spec, const ConvolutionShape& s) {
  const int64_t block = float_lanes(spec.target);
  const Lines lines = lines_of(s);
  const bool is_line = lines.is_row || s.kernel_w == 1;
  const bool is_plain_across = lines.is_row ? s.out_height == s.height && s.pad_top == 0
                                            : s.out_width == s.width && s.pad_left == 0;
  return is_line && is_plain_across && lines.taps >= kFewestTaps &&
         lines.taps <= kConv2dWinograd1dMostTaps && s.stride_h == 1 && s.stride_w == 1 &&
         s.dilation_h == 1 && s.dilation_w == 1 && s.groups == 1 && block <= 16 &&
         spec.output_layout().block == block && input_layout(spec).block == block &&
         can_epilogue(spec);
}

/// Outputs of a tile that it may have, the most first.
std::vector<int64_t> conv2d_winograd1d_edges_of(const Lines& lines) {
  std::vector<int64_t> edges =
      numbers(2, std::min(kMostOutputs, kConv2dWinograd1dMostPoints + 1 - lines.taps));
  std::ranges::reverse(edges);
  return edges;
}

/// Vector multiply-adds: of the products and of both transforms.
int64_t conv2d_winograd1d_cost_of(const KernelSpec& spec, const ConvolutionShape& s, int64_t edge) {
  const int64_t lanes = float_lanes(spec.target);
  const int64_t in_blocks = ceil_div(s.channels, lanes);
  const int64_t out_blocks = ceil_div(s.out_channels, lanes);
  const Lines lines = lines_of(s);
  const int64_t points = edge + lines.taps - 1;
  const int64_t products = s.channels * out_blocks;
  return lines.tiles(edge) * points * (products + points * in_blocks + edge * out_blocks);
}

/// The default edge: the cheapest.
int64_t conv2d_winograd1d_edge_of(const KernelSpec& spec, const ConvolutionShape& s) {
  return std::ranges::min(conv2d_winograd1d_edges_of(lines_of(s)), {},
                          [&](int64_t edge) { return conv2d_winograd1d_cost_of(spec, s, edge); });
}

/// True where the transforms cost less than the multiplications they save.
bool pays_conv2d_winograd1d(const KernelSpec& spec, const ConvolutionShape& s) {
  constexpr int64_t kShort = 4;
  const int64_t lanes = float_lanes(spec.target);
  return s.channels >= 2 * lanes && s.out_channels >= 2 * lanes && lines_of(s).length > kShort;
}

/// Knobs: `m`, outputs of a tile along the filter; `tile_x`, tiles, and `tile_co`, channel blocks,
/// that are summed in registers together; `parts` of the lines that run in parallel; `shared` 1:
/// panels of channels do too, and share the transformed input, 0: every part transforms its own.
Config conv2d_winograd1d_config_of(const KernelSpec& spec, const ConvolutionShape& s,
                                   int64_t edge) {
  const int64_t out_blocks = ceil_div(s.out_channels, float_lanes(spec.target));
  const WinogradTile most{most_sums(spec.target), 1, kConv2dWinograd1dMostBlocks};
  const Lines lines = lines_of(s);
  const int64_t own = own_parts(spec.threads);
  const bool has_parts = own > 0 && own <= lines.count;
  const int64_t parts = has_parts ? own : 1;
  const int64_t tiles = lines.tiles_of_part(edge, parts);
  const WinogradTile tile = best_tile(spec.target, tiles, 1, out_blocks, most);
  return {{"m", edge},
          {"tile_x", tile.x},
          {"tile_co", tile.co},
          {"parts", parts},
          {"shared", has_parts ? 0 : 1}};
}

std::optional<Config> conv2d_winograd1d_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = convolution_shape(spec.workload);
  if (!shape || !takes_conv2d_winograd1d(spec, *shape) || !pays_conv2d_winograd1d(spec, *shape))
    return std::nullopt;
  return conv2d_winograd1d_config_of(spec, *shape, conv2d_winograd1d_edge_of(spec, *shape));
}

/// Register tiles fit one edge.
std::vector<Config> conv2d_winograd1d_alternatives(const KernelSpec& spec) {
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  std::vector<Config> configs;
  for (const int64_t edge : conv2d_winograd1d_edges_of(lines_of(shape)))
    configs.push_back(conv2d_winograd1d_config_of(spec, shape, edge));
  return configs;
}

std::vector<KnobRange> conv2d_winograd1d_knobs(const KernelSpec& spec) {
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  const int64_t out_blocks = ceil_div(shape.out_channels, float_lanes(spec.target));
  const int64_t tiles = lines_of(shape).tiles(2);
  return {{"m", conv2d_winograd1d_edges_of(lines_of(shape))},
          {"tile_x", numbers(1, std::min(tiles, most_sums(spec.target)))},
          {"tile_co", divisors(out_blocks, kConv2dWinograd1dMostBlocks)},
          {"parts", numbers(1, std::min(kMostOwnParts, lines_of(shape).count))},
          {"shared", {0, 1}}};
}

struct Conv2dWinograd1dKnobs {
  int m, tile_x, tile_co, parts;
  bool is_shared;
};

Conv2dWinograd1dKnobs conv2d_winograd1d_knobs_of(const KernelSpec& spec) {
  const auto knob = [&](const char* name) { return narrow(spec.config.at(name)); };
  return {knob("m"), knob("tile_x"), knob("tile_co"), knob("parts"), knob("shared") != 0};
}

MinimalFilter conv2d_winograd1d_filter_of(const KernelSpec& spec) {
  const Lines lines = lines_of(*convolution_shape(spec.workload));
  return minimal_filter(narrow(spec.config.at("m")), narrow(lines.taps));
}

/// The stages of one kernel and the loops they are scheduled over. A tile is numbered by its line,
/// then by its place along the filter, so that those of a part are neighbours.
class Winograd1d {
 public:
  Winograd1d(const KernelSpec& spec, KernelBuilder& builder)
      : spec_(spec),
        builder_(builder),
        s_(*convolution_shape(spec.workload)),
        lines_(lines_of(s_)),
        knobs_(conv2d_winograd1d_knobs_of(spec)),
        f_(conv2d_winograd1d_filter_of(spec)) {}

  Func build() {
    transform_input();
    multiply();
    transform_output();
    schedule_output();
    schedule_product();
    schedule_input();
    return out_;
  }

 private:
  /// Tiles of a line.
  int places() const { return narrow(ceil_div(lines_.length, f_.m)); }

  void transform_input() {
    const Halide::Func in = builder_.operand(*input_index(spec_.workload, 0, 0));
    const Halide::Range all{Expr(), Expr()};
    const Halide::Range along{0, narrow(lines_.extent)};
    const Func data = Halide::BoundaryConditions::constant_exterior(
        in, 0.0f,
        lines_.is_row ? Halide::Region{all, along, all, all, all}
                      : Halide::Region{all, all, along, all, all});
    const Expr place = tile_ % places() * f_.m + j_ - narrow(lines_.pad);
    const Expr line = tile_ / places();
    window_(ci_, j_, tile_, cb_, n_) =
        lines_.is_row ? data(ci_, place, line, cb_, n_) : data(ci_, line, place, cb_, n_);
    std::vector<Expr> values;
    for (int j = 0; j < f_.n; ++j) values.push_back(window_(ci_, j, tile_, cb_, n_));
    v_(ci_, tile_, cb_, k_, n_) = matrix_row(f_.input, k_, values);
  }

  void multiply() {
    const int block = builder_.lanes();
    const int in_blocks = narrow(ceil_div(s_.channels, block));
    r_ = RDom(0, block, 0, in_blocks);
    if (s_.channels % block != 0) r_.where(r_[0] < narrow(s_.channels) - r_[1] * block);
    const Halide::Func u =
        builder_.packed(*input_index(spec_.workload, 0, 1),
                        {block, block, in_blocks, f_.n, ceil_div(s_.out_channels, block)});
    product_(oi_, tile_, k_, ob_, n_) +=
        u(oi_, r_[0], r_[1], k_, ob_) * v_(r_[0], tile_, r_[1], k_, n_);
    m_(oi_, tile_, k_, ob_, n_) = product_(oi_, tile_, k_, ob_, n_);
  }

  void transform_output() {
    std::vector<Expr> values;
    for (int j = 0; j < f_.n; ++j) values.push_back(m_(oi_, tile_, j, ob_, n_));
    y_(oi_, i_, tile_, ob_, n_) = matrix_row(f_.output, i_, values);
    const Expr along = lines_.is_row ? x_ : yy_;
    const Expr across = lines_.is_row ? yy_ : x_;
    const Expr value = y_(oi_, along % f_.m, across * places() + along / f_.m, ob_, n_) +
                       bias_value(spec_, builder_, oi_, ob_);
    out_(oi_, x_, yy_, ob_, n_) = builder_.epilogue(value, {oi_, x_, yy_, ob_, n_});
  }

  void schedule_output() {
    const Var along = lines_.is_row ? x_ : yy_;
    const Var across = lines_.is_row ? yy_ : x_;
    out_.bound(oi_, 0, builder_.lanes()).vectorize(oi_);
    out_.split(along, ao_, ai_, f_.m, TailStrategy::GuardWithIf);
    out_.split(across, part_, line_, narrow(lines_.lines_of_part(knobs_.parts)),
               TailStrategy::GuardWithIf);
    out_.split(ob_, obo_, obi_, knobs_.tile_co, TailStrategy::RoundUp);
    out_.unroll(ai_);
    if (knobs_.is_shared) {
      out_.reorder(oi_, ai_, line_, ao_, obi_, part_, obo_, n_).fuse(part_, obo_, task_);
      out_.fuse(task_, n_, task_).parallel(task_);
    } else {
      out_.reorder(oi_, ai_, line_, ao_, obi_, obo_, part_, n_).fuse(part_, n_, task_);
      out_.parallel(task_);
    }
    y_.compute_at(out_, line_).vectorize(oi_).unroll(i_);
  }

  void schedule_product() {
    m_.compute_at(out_, knobs_.is_shared ? task_ : obo_);
    m_.split(tile_, to_, ti_, knobs_.tile_x, TailStrategy::ShiftInwards)
        .split(ob_, obo_, obi_, knobs_.tile_co, TailStrategy::ShiftInwards)
        .reorder(oi_, obi_, ti_, to_, obo_, k_, n_);
    m_.vectorize(oi_).unroll(obi_).unroll(ti_);
    product_.compute_at(m_, to_).vectorize(oi_).unroll(ob_).unroll(tile_);
    product_.update()
        .reorder(oi_, ob_, tile_, r_[0], r_[1])
        .vectorize(oi_)
        .unroll(ob_)
        .unroll(tile_);
    if (s_.channels % builder_.lanes() == 0)
      product_.update().unroll(r_[0], unrolled_steps(builder_.lanes()));
  }

  void schedule_input() {
    v_.reorder(ci_, k_, tile_, cb_, n_).vectorize(ci_).unroll(k_);
    if (knobs_.is_shared) {
      v_.compute_root().fuse(cb_, n_, task_).parallel(task_);
    } else {
      v_.compute_at(out_, task_);
    }
    window_.compute_at(v_, tile_).vectorize(ci_).unroll(j_);
  }

  const KernelSpec& spec_;
  KernelBuilder& builder_;
  const ConvolutionShape s_;
  const Lines lines_;
  const Conv2dWinograd1dKnobs knobs_;
  const MinimalFilter f_;
  Var ci_{"ci"}, j_{"j"}, i_{"i"}, tile_{"tile"}, cb_{"cb"}, k_{"k"}, n_{"n"}, oi_{"oi"}, ob_{"ob"},
      x_{"x"}, yy_{"y"}, ao_{"ao"}, ai_{"ai"}, obo_{"obo"}, obi_{"obi"}, to_{"to"}, ti_{"ti"},
      part_{"part"}, line_{"line"}, task_{"task"};
  RDom r_;
  Func window_{"window"}, v_{"v"}, product_{"product"}, m_{"m"}, y_{"y"}, out_{"out"};
};

Result<void> check_conv2d_winograd1d_config(const KernelSpec& spec) {
  const Conv2dWinograd1dKnobs k = conv2d_winograd1d_knobs_of(spec);
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  const int64_t out_blocks = ceil_div(shape.out_channels, float_lanes(spec.target));
  const int64_t most = conv2d_winograd1d_edges_of(lines_of(shape)).front();
  const Lines lines = lines_of(shape);
  OPBENCH_CHECK(check_range(spec.config, "m", 2, most));
  OPBENCH_CHECK(check_divisor(spec.config, "tile_co", out_blocks, "the number of channel blocks"));
  OPBENCH_CHECK(check_range(spec.config, "parts", 1, lines.count, "the number of lines"));
  OPBENCH_CHECK(check_range(spec.config, "tile_x", 1, lines.tiles_of_part(k.m, k.parts),
                            "a part's number of tiles"));
  return check_sums(int64_t{k.tile_x} * k.tile_co, most_sums(spec.target));
}

Func build_conv2d_winograd1d(const KernelSpec& spec, KernelBuilder& builder) {
  return Winograd1d(spec, builder).build();
}

Tensor pack_conv2d_winograd1d_weights(const KernelSpec& spec, const Tensor& weight) {
  return pack_minimal(conv2d_winograd1d_filter_of(spec), weight, spec.output_layout().block);
}

Result<Tensor> pack_conv2d_winograd1d(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_convolution(spec, index, weight, pack_conv2d_winograd1d_weights);
}

}  // namespace

ScheduleDef conv2d_winograd1d_schedule() {
  return {
      .name = "conv2d_winograd1d",
      .summary =
          "Channel-blocked convolution with a filter of one row or column by minimal filtering",
      .default_config = conv2d_winograd1d_default_config,
      .knobs = conv2d_winograd1d_knobs,
      .alternatives = conv2d_winograd1d_alternatives,
      .priority = 30,
      .pack = pack_conv2d_winograd1d,
      .check_config = check_conv2d_winograd1d_config,
      .build = build_conv2d_winograd1d,
  };
}

}  // namespace opbench
