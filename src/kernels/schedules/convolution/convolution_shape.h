#pragma once

#include <cstdint>
#include <optional>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// A 2-D convolution's extents: x[n, c, height, width] * w[out_channels, c / groups, kernel_h,
/// kernel_w]. Padding is at the top and left; what lies below and right follows from the output.
struct ConvolutionShape {
  int64_t batch = 0;
  int64_t channels = 0;
  int64_t height = 0;
  int64_t width = 0;
  int64_t out_channels = 0;
  int64_t out_height = 0;
  int64_t out_width = 0;
  int64_t groups = 1;
  int64_t kernel_h = 0;
  int64_t kernel_w = 0;
  int64_t stride_h = 1;
  int64_t stride_w = 1;
  int64_t dilation_h = 1;
  int64_t dilation_w = 1;
  int64_t pad_top = 0;
  int64_t pad_left = 0;

  /// True if some tap of some output falls outside the rows, or the columns.
  bool pads_rows() const;
  bool pads_columns() const;

  bool has_stride() const { return stride_h != 1 || stride_w != 1; }

  /// True if every output is a sum over the channels of one pixel: a product of two matrices.
  bool is_pointwise() const {
    return kernel_h == 1 && kernel_w == 1 && groups == 1 && !pads_rows() && !pads_columns();
  }
};

/// The extents of the anchor, a convolution of any kind that has its image and its filters at these
/// positions. Nothing unless both are 4-D and the pads are explicit and not negative.
std::optional<ConvolutionShape> convolution_extents(const Workload& workload, size_t image,
                                                    size_t filters);

/// The shape of the workload's anchor. Nothing unless that is a float32 Conv over 4-D tensors with
/// weights known before the run, a bias known or absent, and explicit pads.
std::optional<ConvolutionShape> convolution_shape(const Workload& workload);

/// The layout of the convolution's data operand.
Layout input_layout(const KernelSpec& spec);

/// The bias as kernels of blocked output read it: ceil(C / block) * block values, zeros at the end.
Tensor pack_bias(const Tensor& bias, int64_t block);

/// Weights w[o, i, ky, kx] of one group or all, at any position.
struct WeightView {
  const float* values = nullptr;
  int64_t out_channels = 0;
  int64_t in_channels = 0;
  int64_t height = 0;
  int64_t width = 0;

  const float* filter(int64_t o, int64_t i) const {
    return values + (o * in_channels + i) * height * width;
  }
};
WeightView weight_view(const Tensor& weight);

}  // namespace opbench
