#include <fmt/format.h>
#include <fmt/ranges.h>
#include <halide14/Halide.h>

#include <algorithm>
#include <utility>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_parts.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/convolution/paired_rows.h"
#include "kernels/schedules/convolution/transform_row.h"
#include "kernels/schedules/convolution/winograd_tile.h"
#include "kernels/schedules/convolution/winograd_transform.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/ahead_knob.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/own_parts.h"
#include "kernels/schedules/knobs/thread_share.h"
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

bool takes_conv2d_winograd(const KernelSpec& spec, const ConvolutionShape& s) {
  const int64_t block = float_lanes(spec.target);
  return (s.kernel_h == 3 || s.kernel_h == 5) && s.kernel_w == s.kernel_h &&
         (s.stride_h == 1 || s.stride_h == 2) && s.stride_w == s.stride_h && s.dilation_h == 1 &&
         s.dilation_w == 1 && s.groups == 1 && block <= 16 && spec.output_layout().block == block &&
         input_layout(spec).block == block && can_epilogue(spec);
}

constexpr int64_t kConv2dWinogradMostRows = 4;  ///< of a register tile
constexpr int64_t kConv2dWinogradMostColumns = 14;
constexpr int64_t kConv2dWinogradMostBlocks = 4;

/// Outputs along the edge of a tile: at most eight rows of points, as more cost digits. With a
/// stride larger ones save less.
std::vector<int64_t> conv2d_winograd_edges_of(const ConvolutionShape& s) {
  if (s.stride_h == 2) return {2, 3};
  return s.kernel_h == 3 ? std::vector<int64_t>{4, 6, 5, 2} : std::vector<int64_t>{4, 2};
}

/// Values of all transformed filters.
int64_t conv2d_winograd_weights_of(const ConvolutionShape& s, int64_t edge) {
  const int64_t rows = winograd_transform(edge, s.kernel_h, s.stride_h).rows();
  return rows * rows * s.channels * s.out_channels;
}

int64_t tiles_of(const ConvolutionShape& s, int64_t edge) {
  return ceil_div(s.out_width, edge) * ceil_div(s.out_height, edge) * s.batch;
}

/// Vector multiply-adds in the time that reading a vector of transformed weights takes: none from
/// the near caches, more the more of them there are.
double cost_of_reading(int64_t weights) {
  constexpr double kNear = 256 << 10, kFar = 2304 << 10;  // values
  constexpr double kMost = 6;
  return kMost * std::clamp((static_cast<double>(weights) - kNear) / (kFar - kNear), 0.0, 1.0);
}

/// In vector multiply-adds: the products, reading their weights, and both transforms. Where an
/// image has few tiles it is the weights, of which every point has its own, that count.
double conv2d_winograd_cost_of(const KernelSpec& spec, const ConvolutionShape& s, int64_t edge) {
  constexpr int kFewRows = 6;
  const MinimalFilter t = winograd_transform(edge, s.kernel_h, s.stride_h);
  const double step = t.rows() > kFewRows ? 3 : 2;  // fitted: more values than registers spill
  const int64_t lanes = float_lanes(spec.target);
  const auto in_blocks = static_cast<double>(ceil_div(s.channels, lanes));
  const auto out_blocks = static_cast<double>(ceil_div(s.out_channels, lanes));
  const auto tiles = static_cast<double>(tiles_of(s, edge));
  const double products = t.rows() * t.rows() * static_cast<double>(s.channels) * out_blocks;
  const double input = static_cast<double>(step_count(t.input) * (t.inputs() + t.rows()));
  const double output = static_cast<double>(step_count(t.output) * (t.n + t.m));
  return products * (tiles + cost_of_reading(conv2d_winograd_weights_of(s, edge))) +
         step * tiles * (input * in_blocks + output * out_blocks);
}

/// The default edge: the cheapest.
int64_t conv2d_winograd_edge_of(const KernelSpec& spec, const ConvolutionShape& s) {
  return std::ranges::min(conv2d_winograd_edges_of(s), {},
                          [&](int64_t edge) { return conv2d_winograd_cost_of(spec, s, edge); });
}

/// With a stride: true where a fifth of the products is saved. An image with few tiles reads
/// weights, of which every point has its own, for longer than it uses them.
bool saves_products(const ConvolutionShape& s, int64_t edge) {
  constexpr int64_t kCached = 256 << 10;  // values
  constexpr int64_t kUsesOfARead = 16;    // products in the time that reading a weight takes
  const int64_t rows = winograd_transform(edge, s.kernel_h, s.stride_h).rows();
  const int64_t tiles = tiles_of(s, edge);
  const bool is_cached = conv2d_winograd_weights_of(s, edge) <= kCached;
  const int64_t direct = s.kernel_h * s.kernel_w * s.out_height * s.out_width * s.batch;
  return 5 * rows * rows * (is_cached ? tiles : std::max(tiles, kUsesOfARead)) < 4 * direct;
}

/// True where the transforms cost less than the multiplications they save.
bool pays_conv2d_winograd(const KernelSpec& spec, const ConvolutionShape& s) {
  const int64_t lanes = float_lanes(spec.target);
  if (s.channels < lanes || s.out_channels < 2 * lanes) return false;
  if (s.out_height <= 4 || s.out_width <= 4) return false;
  return s.stride_h == 1 || saves_products(s, conv2d_winograd_edge_of(spec, s));
}

/// True where a row of tiles at a time, whose values stay in the first caches, is worth that all
/// weights are read for each: there are many rows, or so few weights that they are read from near.
bool pays_by_bands(const ConvolutionShape& s, int64_t edge) {
  constexpr int64_t kManyBands = 12;
  constexpr int64_t kFewBands = 6;      // that threads can share
  constexpr int64_t kNear = 640 << 10;  // values
  if (ceil_div(s.out_width, edge) < 4) return false;
  const int64_t bands = ceil_div(s.out_height, edge) * s.batch;
  return bands >= (conv2d_winograd_weights_of(s, edge) <= kNear ? kFewBands : kManyBands);
}

/// The default number of parts of the panels: none if their shares would differ.
int64_t conv2d_winograd_parts_of(int threads, int64_t panels) {
  const int64_t parts = own_parts(threads);
  return parts > 0 && panels % parts == 0 ? parts : 0;
}

/// True where threads would share rows of tiles so unevenly that parts of the panels cost less,
/// though each transforms the whole input; it must stay in a core's own cache.
bool pays_by_parts(const KernelSpec& spec, const ConvolutionShape& s, int64_t edge) {
  constexpr double kUneven = 1.125;
  constexpr int64_t kCached = 256 << 10;  // values
  const int64_t rows = winograd_transform(edge, s.kernel_h, s.stride_h).rows();
  const std::vector<int64_t> bands(static_cast<size_t>(ceil_div(s.out_height, edge) * s.batch), 1);
  return busiest_share(bands, spec.threads) > kUneven &&
         rows * rows * tiles_of(s, edge) * s.channels <= kCached;
}

/// Knobs: `m`, output pixels of a tile's edge; `band` 1: one row of tiles at a time, 0: all at
/// once; `parts` of the panels of channels, each of which transforms the input for itself, 0: every
/// panel is a part, and all share the transformed input; `tile_x`, `tile_y`, `tile_co`: the
/// register tile; where weights are many, `ahead`.
Config conv2d_winograd_config_of(const KernelSpec& spec, const ConvolutionShape& s, int64_t edge,
                                 bool is_banded) {
  const int64_t columns = ceil_div(s.out_width, edge);
  const int64_t rows = is_banded ? 1 : ceil_div(s.out_height, edge);
  const int64_t out_blocks = ceil_div(s.out_channels, float_lanes(spec.target));
  const WinogradTile most{kConv2dWinogradMostColumns, kConv2dWinogradMostRows,
                          kConv2dWinogradMostBlocks};
  const WinogradTile tile = best_tile(spec.target, columns, rows, out_blocks, most);
  return {{"m", edge},
          {"band", is_banded ? 1 : 0},
          {"parts", is_banded ? 0 : conv2d_winograd_parts_of(spec.threads, out_blocks / tile.co)},
          {"tile_x", tile.x},
          {"tile_y", tile.y},
          {"tile_co", tile.co}};
}

std::optional<Config> conv2d_winograd_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = convolution_shape(spec.workload);
  if (!shape || !takes_conv2d_winograd(spec, *shape) || !pays_conv2d_winograd(spec, *shape))
    return std::nullopt;
  const int64_t edge = conv2d_winograd_edge_of(spec, *shape);
  Config config = conv2d_winograd_config_of(spec, *shape, edge, false);
  const bool has_even_parts = config.at("parts") > 0 && pays_by_parts(spec, *shape, edge);
  if (!has_even_parts && pays_by_bands(*shape, edge))
    config = conv2d_winograd_config_of(spec, *shape, edge, true);
  return with_ahead(std::move(config), spec.target, conv2d_winograd_weights_of(*shape, edge));
}

/// Register tiles fit one edge, and all rows of tiles or one.
std::vector<Config> conv2d_winograd_alternatives(const KernelSpec& spec) {
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  const int64_t weights = conv2d_winograd_weights_of(
      shape, conv2d_winograd_edge_of(spec, shape));  // as for `conv2d_winograd_knobs`
  std::vector<Config> configs;
  for (const int64_t edge : conv2d_winograd_edges_of(shape))
    for (const bool is_banded : {false, true})
      configs.push_back(with_ahead(conv2d_winograd_config_of(spec, shape, edge, is_banded),
                                   spec.target, weights));
  return configs;
}

std::vector<KnobRange> conv2d_winograd_knobs(const KernelSpec& spec) {
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  const int64_t columns = ceil_div(shape.out_width, 2);
  const int64_t rows = ceil_div(shape.out_height, 2);
  const int64_t out_blocks = ceil_div(shape.out_channels, float_lanes(spec.target));
  return with_ahead({{"m", conv2d_winograd_edges_of(shape)},
                     {"band", {0, 1}},
                     {"parts", numbers(0, std::min(kMostOwnParts, out_blocks))},
                     {"tile_x", numbers(1, std::min(columns, kConv2dWinogradMostColumns))},
                     {"tile_y", numbers(1, std::min(rows, kConv2dWinogradMostRows))},
                     {"tile_co", divisors(out_blocks, kConv2dWinogradMostBlocks)}},
                    spec.target,
                    conv2d_winograd_weights_of(shape, conv2d_winograd_edge_of(spec, shape)));
}

struct Conv2dWinogradKnobs {
  int m, band, parts, tile_x, tile_y, tile_co;
};

Conv2dWinogradKnobs conv2d_winograd_knobs_of(const KernelSpec& spec) {
  const auto knob = [&](const char* name) { return narrow(spec.config.at(name)); };
  return {knob("m"), knob("band"), knob("parts"), knob("tile_x"), knob("tile_y"), knob("tile_co")};
}

/// The stages of one kernel and the loops they are scheduled over.
class Winograd {
 public:
  Winograd(const KernelSpec& spec, KernelBuilder& builder)
      : spec_(spec),
        builder_(builder),
        s_(*convolution_shape(spec.workload)),
        knobs_(conv2d_winograd_knobs_of(spec)),
        t_(winograd_transform(knobs_.m, s_.kernel_h, s_.stride_h)) {}

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
  /// Whether a task transforms what it needs of the input for itself.
  bool has_own_input() const { return knobs_.band == 1 || knobs_.parts > 0; }

  int panels_of_part() const {
    const int64_t panels = ceil_div(s_.out_channels, builder_.lanes()) / knobs_.tile_co;
    return narrow(ceil_div(panels, knobs_.parts));
  }

  void transform_input() {
    const Halide::Func in = builder_.operand(*input_index(spec_.workload, 0, 0));
    const Halide::Range all{Expr(), Expr()};
    const Func data = Halide::BoundaryConditions::constant_exterior(
        in, 0.0f, Halide::Region{all, {0, narrow(s_.width)}, {0, narrow(s_.height)}, all, all});
    std::vector<Expr> columns;
    const int step = t_.m * t_.stride;
    for (int j = 0; j < t_.inputs(); ++j)
      columns.push_back(data(ci_, tx_ * step + (j - narrow(s_.pad_left)),
                             ty_ * step + b_ - narrow(s_.pad_top), cb_, n_));
    columns_(ci_, b_, a_, tx_, ty_, cb_, n_) = matrix_row(t_.input, a_, columns);
    std::vector<Expr> rows;
    for (int i = 0; i < t_.inputs(); ++i)
      rows.push_back(columns_(ci_, i, k_ % t_.rows(), tx_, ty_, cb_, n_));
    v_(ci_, tx_, ty_, cb_, k_, n_) = matrix_row(t_.input, k_ / t_.rows(), rows);
  }

  void multiply() {
    const int block = builder_.lanes();
    const int in_blocks = narrow(ceil_div(s_.channels, block));
    const int rows = t_.rows();
    r_ = RDom(0, block, 0, in_blocks, 0, t_.stride, 0, t_.stride);
    const Expr column = k_ % t_.n + t_.n * r_[2], row = k_ / t_.n + t_.n * r_[3];
    if (rows % t_.n != 0) r_.where(column < rows && row < rows);
    if (s_.channels % block != 0) r_.where(r_[0] < narrow(s_.channels) - r_[1] * block);
    const Halide::Func u = builder_.packed_stream(
        *input_index(spec_.workload, 0, 1),
        {block, block, in_blocks, int64_t{rows} * rows, ceil_div(s_.out_channels, block)},
        {txo_.name(), tyo_.name()});
    const Expr k = row * rows + column;
    product_(oi_, tx_, ty_, k_, ob_, n_) +=
        u(oi_, r_[0], r_[1], k, ob_) * v_(r_[0], tx_, ty_, r_[1], k, n_);
    m_(oi_, tx_, ty_, k_, ob_, n_) = product_(oi_, tx_, ty_, k_, ob_, n_);
  }

  void transform_output() {
    std::vector<Expr> columns;
    for (int j = 0; j < t_.n; ++j) columns.push_back(m_(oi_, tx_, ty_, b_ * t_.n + j, ob_, n_));
    y1_(oi_, b_, a_, tx_, ty_, ob_, n_) = matrix_row(t_.output, a_, columns);
    std::vector<Expr> rows;
    for (int i = 0; i < t_.n; ++i) rows.push_back(y1_(oi_, i, xi_, tx_, ty_, ob_, n_));
    y_(oi_, xi_, yi_, tx_, ty_, ob_, n_) = matrix_row(t_.output, yi_, rows);
    const Expr value = y_(oi_, x_ % t_.m, yy_ % t_.m, x_ / t_.m, yy_ / t_.m, ob_, n_) +
                       bias_value(spec_, builder_, oi_, ob_);
    out_(oi_, x_, yy_, ob_, n_) = builder_.epilogue(value, {oi_, x_, yy_, ob_, n_});
  }

  void schedule_output() {
    out_.bound(oi_, 0, builder_.lanes()).vectorize(oi_);
    out_.split(x_, xo_, xi_, t_.m, TailStrategy::GuardWithIf);
    out_.split(yy_, yo_, yi_, t_.m, TailStrategy::GuardWithIf);
    out_.split(ob_, obo_, obi_, knobs_.tile_co, TailStrategy::RoundUp);
    if (knobs_.band == 1)
      out_.reorder(oi_, xi_, yi_, xo_, obi_, obo_, yo_, n_).fuse(yo_, n_, task_);
    else if (knobs_.parts > 0)
      out_.split(obo_, part_, obo_, panels_of_part(), TailStrategy::GuardWithIf)
          .reorder(oi_, xi_, yi_, xo_, yo_, obi_, obo_, part_, n_)
          .fuse(part_, n_, task_);
    else
      out_.reorder(oi_, xi_, yi_, xo_, yo_, obi_, obo_, n_).fuse(obo_, n_, task_);
    out_.unroll(xi_).unroll(yi_).parallel(task_);
    y_.compute_at(out_, xo_).vectorize(oi_).unroll(xi_).unroll(yi_);
    y1_.compute_at(out_, xo_).vectorize(oi_).unroll(a_).unroll(b_);
  }

  void schedule_product() {
    m_.compute_at(out_, has_own_input() ? obo_ : task_);
    m_.split(tx_, txo_, txi_, knobs_.tile_x, TailStrategy::ShiftInwards)
        .split(ty_, tyo_, tyi_, knobs_.tile_y, TailStrategy::ShiftInwards)
        .split(ob_, obo_, obi_, knobs_.tile_co, TailStrategy::ShiftInwards)
        .reorder(oi_, obi_, txi_, tyi_, txo_, tyo_, obo_, k_, n_);
    m_.vectorize(oi_).unroll(obi_).unroll(txi_).unroll(tyi_);
    product_.compute_at(m_, txo_).vectorize(oi_).unroll(ob_).unroll(tx_).unroll(ty_);
    product_.update()
        .reorder(oi_, ob_, tx_, ty_, r_[0], r_[1], r_[2], r_[3])
        .vectorize(oi_)
        .unroll(ob_)
        .unroll(tx_)
        .unroll(ty_);
    if (s_.channels % builder_.lanes() == 0)
      product_.update().unroll(r_[0], unrolled_steps(builder_.lanes()));
  }

  void schedule_input() {
    if (has_own_input())
      v_.compute_at(out_, task_);
    else
      v_.compute_root();
    v_.reorder(ci_, k_, tx_, ty_, cb_, n_).vectorize(ci_).unroll(k_);
    columns_.compute_at(v_, tx_).vectorize(ci_).unroll(a_).unroll(b_);
    if (!has_own_input()) v_.fuse(cb_, n_, task_).parallel(task_);
  }

  const KernelSpec& spec_;
  KernelBuilder& builder_;
  const ConvolutionShape s_;
  const Conv2dWinogradKnobs knobs_;
  const MinimalFilter t_;
  Var ci_{"ci"}, tx_{"tx"}, ty_{"ty"}, cb_{"cb"}, k_{"k"}, n_{"n"}, a_{"a"}, b_{"b"}, oi_{"oi"},
      ob_{"ob"}, x_{"x"}, yy_{"y"}, xo_{"xo"}, xi_{"xi"}, yo_{"yo"}, yi_{"yi"}, obo_{"obo"},
      obi_{"obi"}, txo_{"txo"}, txi_{"txi"}, tyo_{"tyo"}, tyi_{"tyi"}, part_{"part"}, task_{"task"};
  RDom r_;
  Func columns_{"columns"}, v_{"v"}, product_{"product"}, m_{"m"}, y1_{"y1"}, y_{"y"}, out_{"out"};
};

Result<void> check_conv2d_winograd_config(const KernelSpec& spec) {
  const Conv2dWinogradKnobs k = conv2d_winograd_knobs_of(spec);
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  const int64_t out_blocks = ceil_div(shape.out_channels, float_lanes(spec.target));
  std::vector<int64_t> edges = conv2d_winograd_edges_of(shape);
  std::ranges::sort(edges);
  if (!std::ranges::binary_search(edges, k.m))
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("m is {}, none of {}", k.m, fmt::join(edges, ", "))};
  const bool is_banded = k.band == 1;
  OPBENCH_CHECK(check_divisor(spec.config, "tile_co", out_blocks, "the number of channel blocks"));
  OPBENCH_CHECK(check_range(spec.config, "parts", 0, is_banded ? 0 : out_blocks / k.tile_co,
                            is_banded ? "as bands are parts" : "the number of panels"));
  OPBENCH_CHECK(check_range(spec.config, "tile_x", 1, ceil_div(shape.out_width, k.m),
                            "the number of tiles in a row"));
  OPBENCH_CHECK(check_range(spec.config, "tile_y", 1,
                            is_banded ? 1 : ceil_div(shape.out_height, k.m),
                            "the number of rows of tiles"));
  return check_sums(int64_t{k.tile_x} * k.tile_y * k.tile_co, most_sums(spec.target));
}

Func build_conv2d_winograd(const KernelSpec& spec, KernelBuilder& builder) {
  return Winograd(spec, builder).build();
}

Tensor pack_conv2d_winograd_weights(const KernelSpec& spec, const Tensor& weight) {
  const ConvolutionShape shape = *convolution_shape(spec.workload);
  return pack_winograd(winograd_transform(spec.config.at("m"), shape.kernel_h, shape.stride_h),
                       weight, spec.output_layout().block);
}

Result<Tensor> pack_conv2d_winograd(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_convolution(spec, index, weight, pack_conv2d_winograd_weights);
}

}  // namespace

ScheduleDef conv2d_winograd_schedule() {
  return {
      .name = "conv2d_winograd",
      .summary =
          "Channel-blocked 3x3 or 5x5 convolution by Winograd's minimal filtering, F(2x2) to "
          "F(6x6)",
      .default_config = conv2d_winograd_default_config,
      .knobs = conv2d_winograd_knobs,
      .alternatives = conv2d_winograd_alternatives,
      .priority = 30,
      .pack = pack_conv2d_winograd,
      .check_config = check_conv2d_winograd_config,
      .build = build_conv2d_winograd,
  };
}

}  // namespace opbench
