#include <halide14/Halide.h>

#include <algorithm>
#include <array>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/gpu_convolution.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::Var;

constexpr int64_t kUnrollWord = 1;  // in annotations (candidate.cpp)
constexpr int64_t kVectorWord = 2;

std::optional<ConvolutionShape> conv2d_nchw_spatial_pack_mali_shape_of(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> shape = plain_convolution(spec);
  return shape && shape->groups == 1 ? shape : std::nullopt;
}

std::vector<GpuAxis> spatial_pack_axes(const Config& config) {
  return {gpu_axis("x", config, "tile_ow"), gpu_axis("y", config, "tile_oh"),
          gpu_axis("f", config, "tile_co")};
}

/// `ann_spatial` is of rows, columns, channels: y, x, f.
constexpr std::array<size_t, 3> kAxisOfAnnotation = {1, 0, 2};

int64_t spatial_word(const Config& config, size_t position) {
  return knob_or(config, "ann_spatial_" + std::to_string(position), 0);
}

/// TVM takes the config of the most similar shape in its logs.
std::optional<Config> conv2d_nchw_spatial_pack_mali_default_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> s = conv2d_nchw_spatial_pack_mali_shape_of(spec);
  if (!s) return std::nullopt;
  const int64_t channels = largest_divisor(s->out_channels, 4);
  const int64_t columns = largest_divisor(s->out_width, 4);
  return Config{{"tile_co", channels},
                {"tile_co_1", largest_divisor(s->out_channels / channels, 4)},
                {"tile_oh", 1},
                {"tile_oh_1", largest_divisor(s->out_height, 4)},
                {"tile_ow", columns},
                {"tile_ow_1", largest_divisor(s->out_width / columns, 4)},
                {"ann_reduce_0", 0},
                {"ann_reduce_1", kUnrollWord},
                {"ann_spatial_0", 0},
                {"ann_spatial_1", kUnrollWord},
                {"ann_spatial_2", channels > 1 && channels != 3 ? kVectorWord : kUnrollWord}};
}

/// TVM refuses to unroll more than 16 steps and vectors that OpenCL lacks.
Result<void> check_spatial_words(const Config& config, const std::vector<GpuAxis>& axes) {
  constexpr int64_t kMostSteps = 16;
  constexpr std::array<int64_t, 5> kWidths = {1, 2, 4, 8, 16};
  for (size_t i = 0; i < kAxisOfAnnotation.size(); ++i) {
    const int64_t extent = axes[kAxisOfAnnotation[i]].inner;
    const int64_t word = spatial_word(config, i);
    const bool is_vector_wrong = word == kVectorWord && std::ranges::count(kWidths, extent) == 0;
    if (is_vector_wrong || (word == kUnrollWord && extent > kMostSteps))
      return Error{ErrorCode::kInvalidInput,
                   "ann_spatial: " + std::to_string(extent) +
                       (is_vector_wrong ? " lanes of a vector" : " unrolled steps, more than 16")};
  }
  return {};
}

Result<void> check_conv2d_nchw_spatial_pack_mali_config(const KernelSpec& spec) {
  const std::optional<ConvolutionShape> s = conv2d_nchw_spatial_pack_mali_shape_of(spec);
  if (!s)
    return Error{ErrorCode::kInvalidInput,
                 "conv2d_nchw_spatial_pack_mali does not take the workload"};
  OPBENCH_CHECK(check_split(spec.config, "tile_co", 3, s->out_channels));
  OPBENCH_CHECK(check_split(spec.config, "tile_oh", 3, s->out_height));
  OPBENCH_CHECK(check_split(spec.config, "tile_ow", 3, s->out_width));
  const std::vector<GpuAxis> axes = spatial_pack_axes(spec.config);
  OPBENCH_CHECK(check_spatial_words(spec.config, axes));
  return check_group_limits(spec.target, axes, 0);
}

/// One kernel of AutoTVM's template conv2d_nchw_spatial_pack.mali: a tile a thread. Its tile of the
/// input is read where it lies, while TVM has a kernel that packs it.
Func build_conv2d_nchw_spatial_pack_mali(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvolutionShape s = *conv2d_nchw_spatial_pack_mali_shape_of(spec);
  const Config& config = spec.config;
  std::vector<GpuAxis> axes = spatial_pack_axes(config);
  limit_sums(axes);
  const int64_t block = config.at("tile_co");
  const Var x("x"), y("y"), f("f"), n("n");
  Func sum("sum"), out("out");
  const Halide::Region taps = {
      {0, narrow(s.kernel_w)}, {0, narrow(s.kernel_h)}, {0, narrow(s.channels)}};
  const Halide::RDom r(taps, "r");
  const Func filters =
      builder.packed(*input_index(spec.workload, 0, 1),
                     {block, s.kernel_w, s.kernel_h, s.channels, s.out_channels / block});
  const int lanes = narrow(block);
  sum(x, y, f, n) = 0.0f;
  sum(x, y, f, n) +=
      padded_pixel(spec, builder, s, x * narrow(s.stride_w) + r.x * narrow(s.dilation_w),
                   y * narrow(s.stride_h) + r.y * narrow(s.dilation_h), r.z, n) *
      filters(f % lanes, r.x, r.y, r.z, f / lanes);
  out(x, y, f, n) = finished_pixel(spec, builder, sum(x, y, f, n), {x, y, f, n});
  std::string vector;
  for (size_t i = 0; i < kAxisOfAnnotation.size(); ++i) {
    const GpuAxis& axis = axes[kAxisOfAnnotation[i]];
    if (spatial_word(config, i) == kVectorWord) vector = axis.name;
  }
  const bool unrolls_rows = knob_or(config, "ann_reduce_0", 0) == kUnrollWord;
  const bool unrolls_columns = knob_or(config, "ann_reduce_1", 0) == kUnrollWord;
  schedule_thread_tiles(out, sum, axes, "n",
                        {{r.x.name(), s.kernel_w, unrolls_columns},
                         {r.y.name(), s.kernel_h, unrolls_rows},
                         {r.z.name(), s.channels, false}},
                        2 * kMostHeldSums, vector);
  return out;
}

/// [CO, CI, KH, KW] as [CO / tile_co, CI, KH, KW, tile_co].
Tensor pack_filters(const Tensor& weight, int64_t block) {
  const Shape& shape = weight.type.shape;
  const int64_t inner = shape[1] * shape[2] * shape[3];
  Tensor packed = Tensor::empty({DataType::kFloat32, {shape[0] / block, inner, block}});
  const auto from = weight.as<float>();
  const auto to = packed.as<float>();
  for (int64_t f = 0; f < shape[0]; ++f)
    for (int64_t i = 0; i < inner; ++i)
      to[static_cast<size_t>((f / block * inner + i) * block + f % block)] =
          from[static_cast<size_t>(f * inner + i)];
  return packed;
}

Result<Tensor> pack_conv2d_nchw_spatial_pack_mali(const KernelSpec& spec, size_t index,
                                                  const Tensor& weight) {
  if (index == input_index(spec.workload, 0, 1))
    return pack_filters(weight, spec.config.at("tile_co"));
  return pack_plain_convolution(spec, index, weight);
}

}  // namespace

ScheduleDef conv2d_nchw_spatial_pack_mali_schedule() {
  return {.name = "conv2d_nchw_spatial_pack_mali",
          .summary = "AutoTVM's template conv2d_nchw_spatial_pack.mali, for configs of its logs",
          .device_types = {DeviceType::kOpenCl},
          .default_config = conv2d_nchw_spatial_pack_mali_default_config,
          .priority = -1,
          .pack = pack_conv2d_nchw_spatial_pack_mali,
          .check_config = check_conv2d_nchw_spatial_pack_mali_config,
          .build = build_conv2d_nchw_spatial_pack_mali};
}

}  // namespace opbench
