#include "kernels/schedules/autotvm/gpu_convolution.h"

#include <halide14/Halide.h>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/conv_geometry.h"
#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"

namespace opbench {

using Halide::Expr;

std::optional<ConvolutionShape> plain_convolution(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !takes_anchor(spec, "Conv") || !reads_arguments(spec))
    return std::nullopt;
  return convolution_shape(spec.workload);
}

std::vector<GpuAxis> convolution_axes(const Config& config) {
  return {gpu_axis("x", config, "tile_x"), gpu_axis("y", config, "tile_y"),
          gpu_axis("f", config, "tile_f")};
}

Result<void> check_convolution_axes(const KernelSpec& spec, const ConvolutionShape& shape) {
  OPBENCH_CHECK(check_split(spec.config, "tile_f", 4, shape.out_channels));
  OPBENCH_CHECK(check_split(spec.config, "tile_y", 4, shape.out_height));
  return check_split(spec.config, "tile_x", 4, shape.out_width);
}

Config default_convolution_axes(const ConvolutionShape& shape) {
  const int64_t x = largest_divisor(shape.out_width, 16);
  const int64_t y = largest_divisor(shape.out_height, 4);
  const int64_t f = largest_divisor(shape.out_channels, 4);
  return {{"tile_x", 1},
          {"tile_x_1", 1},
          {"tile_x_2", x},
          {"tile_y", 1},
          {"tile_y_1", 1},
          {"tile_y_2", y},
          {"tile_f", largest_divisor(shape.out_channels / f, 4)},
          {"tile_f_1", 1},
          {"tile_f_2", f}};
}

int64_t input_span(int64_t outputs, int64_t stride, int64_t taps, int64_t dilation) {
  return (outputs - 1) * stride + (taps - 1) * dilation + 1;
}

Expr padded_pixel(const KernelSpec& spec, KernelBuilder& builder, const ConvolutionShape& shape,
                  const Expr& x, const Expr& y, const Expr& c, const Expr& n) {
  Expr column = x;
  Expr row = y;
  Expr is_inside = Halide::Internal::const_true();
  const auto place = [&](Expr& at, int64_t pad, int64_t extent) {
    at = at - narrow(pad);
    is_inside = is_inside && at >= 0 && at < narrow(extent);
    at = Halide::clamp(at, 0, narrow(extent - 1));
  };
  if (shape.pads_columns()) place(column, shape.pad_left, shape.width);
  if (shape.pads_rows()) place(row, shape.pad_top, shape.height);
  const Expr pixel = operand_value(spec, builder, 0, {column, row, c, n});
  if (!shape.pads_columns() && !shape.pads_rows()) return pixel;
  return Halide::select(is_inside, pixel, 0.0f);
}

Expr finished_pixel(const KernelSpec& spec, KernelBuilder& builder, const Expr& sum,
                    const std::vector<Expr>& position) {
  Expr value = sum;
  if (has_operand(spec, 2)) value = value + conv_operand(spec, builder, 2, {position[2]});
  return builder.epilogue(value, position);
}

Result<Tensor> pack_plain_convolution(const KernelSpec& spec, size_t index, const Tensor& weight) {
  for (const size_t operand : {0, 1, 2})
    if (index == input_index(spec.workload, 0, operand)) return weight;
  return pack_epilogue_weight(spec, index, weight);
}

}  // namespace opbench
