#include <halide14/Halide.h>

#include <numeric>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/template_tile.h"
#include "kernels/schedules/convolution/convolution_parts.h"
#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// The workload's shape if the template computes it: one filter a channel, no dilation.
std::optional<ConvolutionShape> depthwise_conv2d_nchwc_x86_shape_of(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> s = convolution_shape(spec.workload);
  if (!s || s->groups != s->channels || s->out_channels != s->channels) return std::nullopt;
  if (s->dilation_h != 1 || s->dilation_w != 1 || !can_epilogue(spec)) return std::nullopt;
  return s;
}

/// AutoTVM's choice without a record, for the blocks that the layouts give.
std::optional<Config> depthwise_conv2d_nchwc_x86_default_config(const KernelSpec& spec) {
  constexpr int64_t kMostPixels = 31;
  const std::optional<ConvolutionShape> s = depthwise_conv2d_nchwc_x86_shape_of(spec);
  const int64_t in = input_layout(spec).block;
  const int64_t out = spec.output_layout().block;
  if (!s || in == 0 || out == 0 || s->channels % in != 0 || s->channels % out != 0)
    return std::nullopt;
  return Config{{"tile_ic", in},
                {"tile_oc", out},
                {"tile_ow", largest_divisor(s->out_width, kMostPixels)},
                {"unroll_kw", 0}};
}

Result<void> check_depthwise_conv2d_nchwc_x86_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> s = depthwise_conv2d_nchwc_x86_shape_of(spec);
  if (!s)
    return Error{ErrorCode::kInvalidInput, "depthwise_conv2d_nchwc_x86 does not take the workload"};
  OPBENCH_CHECK(check_blocks(spec, s->channels, s->channels));
  OPBENCH_CHECK(check_range(spec.config, "tile_ow", 1, s->out_width));
  if (!spec.config.contains("unroll_kw"))
    return Error{ErrorCode::kInvalidInput, "knob \"unroll_kw\" is missing"};
  return {};
}

/// One kernel of AutoTVM's template depthwise_conv2d_NCHWc.x86: a register tile of `tile_ow` pixels
/// times `tile_oc` channels, rows in parallel within an image; the input, in blocks of `tile_ic`
/// channels, is padded by a pass of its own. Vectors do not cross a block of either layout.
class DepthwiseNchwcX86 {
 public:
  DepthwiseNchwcX86(const KernelSpec& spec, KernelBuilder& builder)
      : spec_(spec), builder_(builder), s_(*convolution_shape(spec.workload)) {
    tile_ic_ = narrow(spec.config.at("tile_ic"));
    tile_oc_ = narrow(spec.config.at("tile_oc"));
    tile_ow_ = narrow(spec.config.at("tile_ow"));
    vector_ = narrow(vector_part(std::gcd(tile_ic_, tile_oc_), builder.lanes()));
  }

  Func build() {
    define();
    out_.bound(oc_, 0, tile_oc_).split(oc_, ov_, oc_, vector_).vectorize(oc_);
    out_.split(x_, xo_, xi_, tile_ow_, TailStrategy::GuardWithIf);
    out_.reorder(oc_, ov_, xi_, xo_, y_, co_, n_).fuse(y_, co_, task_).parallel(task_);
    schedule_sum();
    if (s_.pads_rows() || s_.pads_columns()) schedule_padding();
    return out_;
  }

 private:
  void define() {
    const Halide::Func in = builder_.operand(*input_index(spec_.workload, 0, 0));
    const Halide::Func weights =
        builder_.packed(*input_index(spec_.workload, 0, 1),
                        {tile_oc_, s_.kernel_w, s_.kernel_h, s_.channels / tile_oc_});
    const Halide::Range all{Expr(), Expr()};
    const Func padded = Halide::BoundaryConditions::constant_exterior(
        in, 0.0f, Halide::Region{all, {0, narrow(s_.width)}, {0, narrow(s_.height)}, all, all});
    data_(ic_, x_, y_, co_, n_) = padded(ic_, x_, y_, co_, n_);
    r_ = RDom(0, narrow(s_.kernel_w), 0, narrow(s_.kernel_h));
    const Expr x = x_ * narrow(s_.stride_w) + r_[0] - narrow(s_.pad_left);
    const Expr y = y_ * narrow(s_.stride_h) + r_[1] - narrow(s_.pad_top);
    // Channels are counted in vectors, so that their place in an input block is a multiple of them.
    const Expr first = (co_ * (tile_oc_ / vector_) + ov_) % (tile_ic_ / vector_) * vector_;
    const Expr block = (co_ * (tile_oc_ / vector_) + ov_) / (tile_ic_ / vector_);
    sum_(oc_, ov_, x_, y_, co_, n_) = bias_value(spec_, builder_, oc_ + ov_ * vector_, co_);
    sum_(oc_, ov_, x_, y_, co_, n_) +=
        data_(oc_ + first, x, y, block, n_) * weights(oc_ + ov_ * vector_, r_[0], r_[1], co_);
    out_(oc_, x_, y_, co_, n_) = builder_.epilogue(
        sum_(oc_ % vector_, oc_ / vector_, x_, y_, co_, n_), {oc_, x_, y_, co_, n_});
  }

  void schedule_padding() {
    const int width = narrow(vector_part(tile_ic_, builder_.lanes()));
    data_.compute_root().split(ic_, iv_, ic_, width).vectorize(ic_);
    data_.fuse(y_, co_, y_).fuse(y_, n_, y_).parallel(y_);
  }

  void schedule_sum() {
    const int64_t vectors = tile_oc_ / vector_ * vector_count(vector_, builder_.lanes());
    const bool is_small = vectors * tile_ow_ <= kMostUnrolled;
    const bool has_small_rows = vectors * tile_ow_ * s_.kernel_w <= kMostUnrolled;
    sum_.compute_at(out_, xo_).reorder(oc_, x_, ov_).vectorize(oc_).unroll(x_);
    Halide::Stage update = sum_.update();
    if (is_small) {
      sum_.unroll(ov_);
      update.reorder(oc_, ov_, x_, r_[0], r_[1], y_, co_).unroll(ov_);
    } else {
      update.reorder(oc_, x_, ov_, r_[0], r_[1], y_, co_);
    }
    update.vectorize(oc_).unroll(x_);
    if (spec_.config.at("unroll_kw") != 0 && has_small_rows) update.unroll(r_[0]);
  }

  const KernelSpec& spec_;
  KernelBuilder& builder_;
  const ConvolutionShape s_;
  int tile_ic_ = 0;
  int tile_oc_ = 0;
  int tile_ow_ = 0;
  int vector_ = 0;
  Var ic_{"ic"}, iv_{"iv"}, oc_{"oc"}, ov_{"ov"}, x_{"x"}, y_{"y"}, co_{"co"}, n_{"n"}, xo_{"xo"},
      xi_{"xi"}, task_{"task"};
  RDom r_;
  Func data_{"data"}, sum_{"sum"}, out_{"out"};
};

Func build_depthwise_conv2d_nchwc_x86(const KernelSpec& spec, KernelBuilder& builder) {
  return DepthwiseNchwcX86(spec, builder).build();
}

/// OIHW with one input channel as OIHW1i{block}o.
Tensor pack_depthwise_conv2d_nchwc_x86_weights(const KernelSpec& spec, const Tensor& weight) {
  const int64_t block = spec.output_layout().block;
  const WeightView w = weight_view(weight);
  const int64_t taps = w.height * w.width;
  Tensor packed = Tensor::empty({DataType::kFloat32, weight.type.shape});
  float* to = packed.as<float>().data();
  for (int64_t first = 0; first < w.out_channels; first += block)
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t o = first; o < first + block; ++o) *to++ = w.filter(o, 0)[tap];
  return packed;
}

Result<Tensor> pack_depthwise_conv2d_nchwc_x86(const KernelSpec& spec, size_t index,
                                               const Tensor& weight) {
  return pack_convolution(spec, index, weight, pack_depthwise_conv2d_nchwc_x86_weights);
}

}  // namespace

ScheduleDef depthwise_conv2d_nchwc_x86_schedule() {
  return {
      .name = "depthwise_conv2d_nchwc_x86",
      .summary = "AutoTVM's template depthwise_conv2d_NCHWc.x86, for configs of its logs",
      .default_config = depthwise_conv2d_nchwc_x86_default_config,
      .priority = -1,
      .pack = pack_depthwise_conv2d_nchwc_x86,
      .check_config = check_depthwise_conv2d_nchwc_x86_config,
      .build = build_depthwise_conv2d_nchwc_x86,
  };
}

}  // namespace opbench
