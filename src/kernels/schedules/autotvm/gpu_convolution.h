#pragma once

#include <optional>
#include <vector>

#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/gpu/staged_tile.h"
#include "kernels/schedules/kernel_builder.h"

namespace Halide {
struct Expr;
}

// What TVM's GPU templates of convolutions on NCHW share.

namespace opbench {

/// The workload's shape if it is a float32 convolution on plain tensors whose steps a kernel can
/// compute.
std::optional<ConvolutionShape> plain_convolution(const KernelSpec& spec);

/// The axes x, y, f (channels) of a group, as `tile_x`, `tile_y` and `tile_f` split them.
std::vector<GpuAxis> convolution_axes(const Config& config);

/// `kInvalidInput` unless these three knobs split the output in four parts each.
Result<void> check_convolution_axes(const KernelSpec& spec, const ConvolutionShape& shape);

/// A default for them: threads along all axes, a few neighbours a thread.
Config default_convolution_axes(const ConvolutionShape& shape);

/// Rows, or columns, of the input that `outputs` neighbours with `taps` taps of the kernel read.
int64_t input_span(int64_t outputs, int64_t stride, int64_t taps, int64_t dilation);

/// The input at a place of the padded image; 0 in the padding.
Halide::Expr padded_pixel(const KernelSpec& spec, KernelBuilder& builder,
                          const ConvolutionShape& shape, const Halide::Expr& x,
                          const Halide::Expr& y, const Halide::Expr& c, const Halide::Expr& n);

/// Element x, y, f, n of the output from its sum: bias and all steps.
Halide::Expr finished_pixel(const KernelSpec& spec, KernelBuilder& builder, const Halide::Expr& sum,
                            const std::vector<Halide::Expr>& position);

/// A ScheduleDef::pack: everything as it stands.
Result<Tensor> pack_plain_convolution(const KernelSpec& spec, size_t index, const Tensor& weight);

}  // namespace opbench
