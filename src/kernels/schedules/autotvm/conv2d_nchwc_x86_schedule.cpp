#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/template_tile.h"
#include "kernels/schedules/convolution/convolution_parts.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_estimate.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// Vector multiply-adds that the body of the innermost loop may have; more only takes longer to
/// compile.
constexpr int64_t kConv2dNchwcX86MostTaps = 64;

bool is_pointwise(const ConvolutionShape& s) { return s.kernel_h == 1 && s.kernel_w == 1; }

/// The output's most extent were the filter not dilated: AutoTVM's space goes by it.
int64_t undilated(int64_t out, int64_t kernel, int64_t stride, int64_t dilation) {
  return out + ceil_div((kernel - 1) * (dilation - 1), stride);
}

/// The workload's shape if the template computes it.
std::optional<ConvolutionShape> conv2d_nchwc_x86_shape_of(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = convolution_shape(spec.workload);
  if (!shape || shape->groups != 1 || !can_epilogue(spec)) return std::nullopt;
  return shape;
}

/// AutoTVM's choice without a record, for the blocks that the layouts give.
std::optional<Config> conv2d_nchwc_x86_default_config(const KernelSpec& spec) {
  constexpr int64_t kMostPixels = 31;
  const std::optional<ConvolutionShape> s = conv2d_nchwc_x86_shape_of(spec);
  const int64_t in = input_layout(spec).block;
  const int64_t out = spec.output_layout().block;
  if (!s || in == 0 || out == 0) return std::nullopt;
  if (s->channels % in != 0 || s->out_channels % out != 0) return std::nullopt;
  Config config{{"tile_ic", in}, {"tile_oc", out}};
  config["tile_ow"] = largest_divisor(s->out_width, kMostPixels);
  if (!is_pointwise(*s))
    config["unroll_kw"] = 0;
  else
    config["tile_oh"] = largest_divisor(s->out_height, kMostPixels / config["tile_ow"]);
  return config;
}

/// Part of a tile whose sums are in registers at a time.
struct Subtile {
  int64_t pixels = 1;
  int64_t vectors = 1;
};

/// All of a tile of `pixels` times `vectors` if it has at most `most` sums, else the part that
/// computes most for what it loads.
Subtile subtile_of(int64_t pixels, int64_t vectors, int64_t most) {
  if (pixels * vectors <= most) return {pixels, vectors};
  Subtile best;
  for (const int64_t group : divisors_of(vectors)) {
    if (group > most) break;
    const Subtile subtile{largest_divisor(pixels, most / group), group};
    if (subtile.pixels * subtile.vectors * (best.pixels + best.vectors) >
        best.pixels * best.vectors * (subtile.pixels + subtile.vectors))
      best = subtile;
  }
  return best;
}

/// The subtile of a general convolution's tile. Sums have all registers but for two, which are for
/// what is loaded; where LLVM makes the vectors, it takes all.
Subtile subtile_in_registers(const KernelSpec& spec, const ConvolutionShape& s) {
  const int lanes = float_lanes(spec.target);
  const int64_t channels = spec.config.at("tile_oc");
  const int64_t vectors = channels / vector_part(channels, lanes);
  const int64_t width = vector_count(channels, lanes) / vectors;  // registers of a vector
  const int64_t most = channels == 1 ? 16 : sum_registers(spec.target);
  return subtile_of(std::min(spec.config.at("tile_ow"), s.out_width), vectors, most / width);
}

/// One kernel of AutoTVM's template conv2d_NCHWc.x86: tiles of `tile_ow` pixels (and `tile_oh` rows
/// when the filter is 1x1) times `tile_oc` channels, reduced completely before the next, in
/// subtiles where they do not fit into registers; the input is padded by a pass of its own.
class NchwcX86 {
 public:
  NchwcX86(const KernelSpec& spec, KernelBuilder& builder)
      : spec_(spec), builder_(builder), s_(*convolution_shape(spec.workload)) {
    tile_ic_ = narrow(spec.config.at("tile_ic"));
    tile_oc_ = narrow(spec.config.at("tile_oc"));
    tile_ow_ = narrow(std::min(spec.config.at("tile_ow"), s_.out_width));
    out_vector_ = narrow(vector_part(tile_oc_, builder.lanes()));
  }

  Func build() {
    define();
    if (tile_oc_ > 1) builder_.keep_loops();  // else only LLVM vectorizes, across input channels
    out_.bound(oc_, 0, tile_oc_).split(oc_, ov_, oc_, out_vector_).vectorize(oc_);
    out_.split(x_, xo_, xi_, tile_ow_, TailStrategy::GuardWithIf);
    if (is_pointwise(s_))
      schedule_pointwise();
    else
      schedule_general();
    if (s_.pads_rows() || s_.pads_columns()) schedule_padding();
    return out_;
  }

 private:
  void define() {
    const int in_chunks = narrow(s_.channels / tile_ic_);
    const Halide::Func in = builder_.operand(*input_index(spec_.workload, 0, 0));
    const Halide::Func weights = builder_.packed(
        *input_index(spec_.workload, 0, 1),
        {tile_oc_, tile_ic_, s_.kernel_w, s_.kernel_h, in_chunks, s_.out_channels / tile_oc_});
    const Halide::Range all{Expr(), Expr()};
    const Func padded = Halide::BoundaryConditions::constant_exterior(
        in, 0.0f, Halide::Region{all, {0, narrow(s_.width)}, {0, narrow(s_.height)}, all, all});
    data_(ic_, x_, y_, co_, n_) = padded(ic_, x_, y_, co_, n_);
    r_ = RDom(0, tile_ic_, 0, narrow(s_.kernel_w), 0, narrow(s_.kernel_h), 0, in_chunks);
    const Expr x = x_ * narrow(s_.stride_w) + r_[1] * narrow(s_.dilation_w) - narrow(s_.pad_left);
    const Expr y = y_ * narrow(s_.stride_h) + r_[2] * narrow(s_.dilation_h) - narrow(s_.pad_top);
    sum_(oc_, x_, y_, co_, n_) = bias_value(spec_, builder_, oc_, co_);
    sum_(oc_, x_, y_, co_, n_) +=
        data_(r_[0], x, y, r_[3], n_) * weights(oc_, r_[0], r_[1], r_[2], r_[3], co_);
    out_(oc_, x_, y_, co_, n_) =
        builder_.epilogue(sum_(oc_, x_, y_, co_, n_), {oc_, x_, y_, co_, n_});
  }

  void schedule_padding() {
    const int width = narrow(vector_part(tile_ic_, builder_.lanes()));
    data_.compute_root().split(ic_, iv_, ic_, width).vectorize(ic_);
    const int pixels = builder_.lanes() / tile_ic_;
    if (pixels > 1) data_.split(x_, x_, xi_, pixels, TailStrategy::RoundUp).vectorize(xi_);
    data_.fuse(y_, co_, y_).fuse(y_, n_, y_).parallel(y_);
  }

  /// Vector multiply-adds of `pixels` times all channels of the tile.
  int64_t unrolled(int64_t pixels) const {
    return pixels * vector_count(tile_oc_, builder_.lanes());
  }

  /// Sums are unrolled from the first to the last, so that LLVM sees at once that they are
  /// registers.
  void schedule_general() {
    const int64_t vectors = tile_oc_ / out_vector_;
    const Subtile subtile = subtile_in_registers(spec_, s_);
    const bool is_whole = subtile.pixels == tile_ow_ && subtile.vectors == vectors;
    if (is_whole) {
      out_.reorder(oc_, ov_, xi_, xo_, y_, co_, n_);
    } else {
      out_.split(xi_, xp_, xi_, narrow(subtile.pixels))
          .split(ov_, op_, ov_, narrow(subtile.vectors));
      out_.reorder(oc_, ov_, xi_, xp_, op_, xo_, y_, co_, n_);
    }
    out_.unroll(ov_).unroll(xi_);
    out_.fuse(y_, co_, task_).fuse(task_, n_, task_).parallel(task_);
    sum_.compute_at(out_, is_whole ? xo_ : xp_).split(oc_, ov_, oc_, out_vector_).vectorize(oc_);
    sum_.unroll(ov_).unroll(x_);
    Halide::Stage update = sum_.update();
    update.split(oc_, ov_, oc_, out_vector_).vectorize(oc_).unroll(ov_).unroll(x_);
    const int64_t sums = subtile.pixels * subtile.vectors;
    if (spec_.config.at("unroll_kw") == 0) {
      update.reorder(oc_, ov_, x_, r_[0], r_[1], r_[2], r_[3]);
      if (sums * tile_ic_ <= kConv2dNchwcX86MostTaps / 2) update.unroll(r_[0]);
      if (tile_ic_ == 1 && sums * s_.kernel_w <= kConv2dNchwcX86MostTaps) update.unroll(r_[1]);
      return;
    }
    update.reorder(oc_, ov_, x_, r_[1], r_[0], r_[2], r_[3]);
    if (sums * s_.kernel_w <= (tile_oc_ == 1 ? kMostUnrolled : kConv2dNchwcX86MostTaps))
      update.unroll(r_[1]);
  }

  void schedule_pointwise() {
    const int tile_oh = narrow(std::min(spec_.config.at("tile_oh"), s_.out_height));
    out_.split(y_, yo_, yi_, tile_oh, TailStrategy::GuardWithIf);
    out_.reorder(oc_, ov_, xi_, yi_, xo_, yo_, co_, n_).fuse(yo_, co_, task_);
    out_.fuse(task_, n_, task_).parallel(task_);
    sum_.compute_at(out_, task_).split(oc_, ov_, oc_, out_vector_).vectorize(oc_);
    Halide::Stage update = sum_.update();
    update.split(oc_, ov_, oc_, out_vector_)
        .vectorize(oc_)
        .split(x_, xo_, xi_, tile_ow_, TailStrategy::GuardWithIf)
        .split(y_, yo_, yi_, tile_oh, TailStrategy::GuardWithIf)
        .unroll(xi_)
        .unroll(yi_);
    if (unrolled(int64_t{tile_ow_} * tile_oh) > kMostUnrolled)
      update.reorder(oc_, xi_, yi_, ov_, r_[0], r_[1], r_[2], r_[3], xo_, yo_);
    else
      update.reorder(oc_, ov_, xi_, yi_, r_[0], r_[1], r_[2], r_[3], xo_, yo_).unroll(ov_);
  }

  const KernelSpec& spec_;
  KernelBuilder& builder_;
  const ConvolutionShape s_;
  int tile_ic_ = 0;
  int tile_oc_ = 0;
  int tile_ow_ = 0;
  int out_vector_ = 0;
  Var ic_{"ic"}, iv_{"iv"}, oc_{"oc"}, ov_{"ov"}, x_{"x"}, y_{"y"}, co_{"co"}, n_{"n"}, xo_{"xo"},
      xi_{"xi"}, xp_{"xp"}, op_{"op"}, yo_{"yo"}, yi_{"yi"}, task_{"task"};
  RDom r_;
  Func data_{"data"}, sum_{"sum"}, out_{"out"};
};

Result<void> check_conv2d_nchwc_x86_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> s = conv2d_nchwc_x86_shape_of(spec);
  if (!s) return Error{ErrorCode::kInvalidInput, "conv2d_nchwc_x86 does not take the workload"};
  const Config& config = spec.config;
  OPBENCH_CHECK(check_blocks(spec, s->channels, s->out_channels));
  OPBENCH_CHECK(check_range(config, "tile_ow", 1,
                            undilated(s->out_width, s->kernel_w, s->stride_w, s->dilation_w)));
  if (is_pointwise(*s)) return check_range(config, "tile_oh", 1, s->out_height);
  if (!config.contains("unroll_kw"))
    return Error{ErrorCode::kInvalidInput, "knob \"unroll_kw\" is missing"};
  return {};
}

Func build_conv2d_nchwc_x86(const KernelSpec& spec, KernelBuilder& builder) {
  return NchwcX86(spec, builder).build();
}

/// Sums that a step of the innermost loops makes, as `NchwcX86` arranges them.
RegisterTile tile_in_registers(const KernelSpec& spec, const ConvolutionShape& s) {
  const int lanes = float_lanes(spec.target);
  const int64_t channels = spec.config.at("tile_oc");
  if (is_pointwise(s)) {
    const int64_t columns = std::min(spec.config.at("tile_ow"), s.out_width);
    const int64_t rows = std::min(spec.config.at("tile_oh"), s.out_height);
    return {columns * rows, vector_count(channels, lanes)};
  }
  const Subtile subtile = subtile_in_registers(spec, s);
  const int64_t width = vector_count(channels, lanes) * vector_part(channels, lanes) / channels;
  return {subtile.pixels, subtile.vectors * width};
}

/// The sums, beside which weights are read once a tile; before them the padding.
double estimate_conv2d_nchwc_x86(const KernelSpec& spec) {
  const ConvolutionShape s = *convolution_shape(spec.workload);
  const int lanes = float_lanes(spec.target);
  const RegisterTile tile = tile_in_registers(spec, s);
  const int64_t columns = std::min(spec.config.at("tile_ow"), s.out_width);
  const int64_t rows = is_pointwise(s) ? std::min(spec.config.at("tile_oh"), s.out_height) : 1;
  const int64_t pixels =
      s.batch * ceil_div(s.out_width, columns) * columns * ceil_div(s.out_height, rows) * rows;
  const int64_t channels = spec.config.at("tile_oc");
  const int64_t vectors = vector_count(channels, lanes) * (s.out_channels / channels);
  const auto steps = static_cast<double>(s.channels * s.kernel_h * s.kernel_w);
  const double passes = static_cast<double>(pixels) / static_cast<double>(tile.pixels);
  const double tiles = passes * static_cast<double>(vectors) / static_cast<double>(tile.vectors);
  const double sums =
      tiles * (steps * step_cycles(tile, sum_registers(spec.target)) + tile_cycles(tile));
  const double weights = steps * sizeof(float);
  double cycles = beside(sums, read_cycles(passes * weights * static_cast<double>(s.out_channels),
                                           weights * static_cast<double>(channels)));
  if (s.pads_rows() || s.pads_columns()) {
    constexpr double kAVector = 2;
    const int64_t vector = vector_part(spec.config.at("tile_ic"), lanes);
    const int64_t values = s.batch * s.channels * s.height * s.width;
    cycles += kAVector * static_cast<double>(values) / static_cast<double>(vector);
  }
  return cycles;
}

/// OIHW as OIHW{tile_ic}i{tile_oc}o.
Tensor pack_conv2d_nchwc_x86_weights(const KernelSpec& spec, const Tensor& weight) {
  const int64_t in = spec.config.at("tile_ic"), out = spec.config.at("tile_oc");
  const WeightView w = weight_view(weight);
  const int64_t taps = w.height * w.width;
  Tensor packed = Tensor::empty({DataType::kFloat32, weight.type.shape});
  float* to = packed.as<float>().data();
  for (int64_t ob = 0; ob < w.out_channels; ob += out)
    for (int64_t ib = 0; ib < w.in_channels; ib += in)
      for (int64_t tap = 0; tap < taps; ++tap)
        for (int64_t i = ib; i < ib + in; ++i)
          for (int64_t o = ob; o < ob + out; ++o) *to++ = w.filter(o, i)[tap];
  return packed;
}

Result<Tensor> pack_conv2d_nchwc_x86(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_convolution(spec, index, weight, pack_conv2d_nchwc_x86_weights);
}

}  // namespace

ScheduleDef conv2d_nchwc_x86_schedule() {
  return {
      .name = "conv2d_nchwc_x86",
      .summary = "AutoTVM's template conv2d_NCHWc.x86, for configs of its logs",
      .default_config = conv2d_nchwc_x86_default_config,
      .priority = -1,
      .pack = pack_conv2d_nchwc_x86,
      .check_config = check_conv2d_nchwc_x86_config,
      .estimate = estimate_conv2d_nchwc_x86,
      .build = build_conv2d_nchwc_x86,
  };
}

}  // namespace opbench
